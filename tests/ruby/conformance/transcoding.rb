# Conversions between encodings: converters, and what the errors know.
# args: -W0
ec = Encoding::Converter.new("UTF-8", "ISO-8859-1")
p(ec.convert("é").bytes) # => [233]
p(ec.source_encoding) # => #<Encoding:UTF-8>
p(ec.destination_encoding) # => #<Encoding:ISO-8859-1>
p(ec.convpath) # => [[#<Encoding:UTF-8>, #<Encoding:ISO-8859-1>]]
p(ec.last_error) # => nil
p(ec.replacement) # => "?"
begin
  ec.convert("あ")
rescue Encoding::UndefinedConversionError => e
  p(e.message) # => "U+3042 from UTF-8 to ISO-8859-1"
  p(e.error_char) # => "あ"
  p(e.source_encoding) # => #<Encoding:UTF-8>
  p(e.destination_encoding) # => #<Encoding:ISO-8859-1>
  p(e.source_encoding_name) # => "UTF-8"
  p(e.destination_encoding_name) # => "ISO-8859-1"
end
ec = Encoding::Converter.new("UTF-8", "UTF-16LE")
begin
  ec.convert("a\xffb")
rescue Encoding::InvalidByteSequenceError => e
  p(e.message) # => "\"\\xFF\" on UTF-8"
  p(e.error_bytes) # => "\xFF"
  p(e.readagain_bytes) # => nil
  p(e.incomplete_input?) # => false
  p(e.source_encoding) # => #<Encoding:UTF-8>
  p(e.destination_encoding) # => #<Encoding:UTF-16LE>
  p(e.source_encoding_name) # => "UTF-8"
  p(e.destination_encoding_name) # => "UTF-16LE"
end
begin
  "\xE3\x81".encode("UTF-16LE")
rescue Encoding::InvalidByteSequenceError => e
  p(e.message) # => "incomplete \"\\xE3\\x81\" on UTF-8"
  p(e.error_bytes) # => "\xE3\x81"
  p(e.incomplete_input?) # => true
end
begin
  "é".encode("EUC-JP").encode("Shift_JIS")
rescue Encoding::UndefinedConversionError => e
  p e.message # => "\"\\x8F\\xAB\\xB1\" from EUC-JP to Shift_JIS"
end
ec = Encoding::Converter.new("UTF-8", "US-ASCII")
src = +"aéb"
dst = +""
p(ec.primitive_convert(src, dst)) # => :undefined_conversion
p(dst) # => "a"
p(src) # => "b"
p(ec.primitive_errinfo) # => [:undefined_conversion, "UTF-8", "US-ASCII", "\xC3\xA9", ""]
p(ec.last_error.class) # => Encoding::UndefinedConversionError
p(ec.insert_output("?")) # => nil
p(ec.primitive_convert(src, dst)) # => :finished
p(dst) # => "a?b"
p(Encoding::Converter.search_convpath("ISO-8859-1", "EUC-JP")) # => [[#<Encoding:ISO-8859-1>, #<Encoding:UTF-8>], [#<Encoding:UTF-8>, #<Encoding:EUC-JP>]]
p((Encoding::Converter.search_convpath("ISO-8859-1", "x") rescue $!.message)) # => "code converter not found (ISO-8859-1 to x)"
p(Encoding::Converter.asciicompat_encoding("ISO-2022-JP")) # => #<Encoding:stateless-ISO-2022-JP>
p(Encoding::Converter.asciicompat_encoding("UTF-8")) # => nil
p Encoding::Converter.new("", "", universal_newline: true).convert("a\r\nb\rc"), Encoding::Converter.new("", "xml_attr_escape").convert("<'\">") rescue p $!.class # => Encoding::ConverterNotFoundError
p(Encoding.compatible?("a", "é".encode("UTF-16LE"))) # => nil
p(Encoding.compatible?("a", "\xff".b)) # => #<Encoding:BINARY (ASCII-8BIT)>
p(Encoding.compatible?("é", "\xff".b)) # => nil
p(Encoding.find("utf-8")) # => #<Encoding:UTF-8>
p(Encoding.find("locale").class) # => Encoding
p((Encoding.find("nope") rescue $!.message)) # => "unknown encoding name - nope"
p(Encoding::UTF_8.names.first(2)) # => ["UTF-8", "CP65001"]
p(Encoding::UTF_8.ascii_compatible?) # => true
p(Encoding::UTF_16LE.ascii_compatible?) # => false
p(Encoding::UTF_8.dummy?) # => false
p(Encoding::UTF_16.dummy?) # => true
p(Encoding.name_list.include?("UTF-8")) # => true
p(Encoding.locale_charmap) # => "UTF-8"
p(Encoding.aliases["BINARY"]) # => "ASCII-8BIT"
p(Encoding.default_external) # => #<Encoding:UTF-8>
p(Encoding.default_internal) # => nil
p("é".encode("UTF-16").bytes) # => [254, 255, 0, 233]
p("é".encode("UTF-32BE").bytes) # => [0, 0, 0, 233]
p("あ".encode("Shift_JIS").bytes) # => [130, 160]
p("あ".encode("EUC-JP").inspect) # => "\"\\x{A4A2}\""
p("あ".encode("ISO-2022-JP").bytes) # => [27, 36, 66, 36, 34, 27, 40, 66]
p("\x82\xA0".dup.force_encoding("Shift_JIS").encode("UTF-8")) # => "あ"
p("€".encode("Windows-1252").bytes) # => [128]
p("\x80".dup.force_encoding("Windows-1252").encode("UTF-8")) # => "€"
p("é".encode("IBM437").bytes) # => [130]
p("я".encode("KOI8-R").bytes) # => [209]
p("a\u3042".encode("US-ASCII", undef: :replace, replace: "*")) # => "a*"
p("a\xff".encode("UTF-16LE", invalid: :replace).bytes) # => [97, 0, 253, 255]
p("a\xff".encode("UTF-8", invalid: :replace)) # => "a�"
p("é".encode("US-ASCII", fallback: ->(c) { c.ord.to_s })) # => "233"
p("<\"'&>é".encode("US-ASCII", xml: :attr)) # => "\"&lt;&quot;&apos;&amp;&gt;&#xE9;\""
p("a\r\nb\n".encode(universal_newline: true)) # => "a\nb\n"
p(("x".encode("nope") rescue $!.message)) # => "code converter not found (UTF-8 to nope)"
p("é".unicode_normalize(:nfd).codepoints) # => [101, 769]
p("ﬁ".unicode_normalize(:nfkc)) # => "fi"
p("가".unicode_normalize(:nfd).size) # => 2
p(("é".encode("EUC-JP").unicode_normalize rescue $!.class)) # => Encoding::CompatibilityError
p("é".unpack("U*")) # => [233]
p([233].pack("U").encoding) # => #<Encoding:UTF-8>
p([233].pack("C").encoding) # => #<Encoding:BINARY (ASCII-8BIT)>
