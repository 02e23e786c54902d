# Converters: pieces, failures, line ends; and the sets that have a state.
ec = Encoding::Converter.new("UTF-8", "UTF-16BE")
src = +"pi"
3.times { |i| r = ec.primitive_convert(src, dst = +"", nil, 1); p [r, src, dst.bytes] }
# => [:destination_buffer_full, "i", [0]]
# => [:destination_buffer_full, "", [112]]
# => [:destination_buffer_full, "", [0]]

ec = Encoding::Converter.new("EUC-JP", "ISO-8859-1")
p ec.primitive_convert(src = "abc\xA1def".b, dst = +"", nil, 10) # => :invalid_byte_sequence
p dst, ec.primitive_errinfo.map(&:to_s)
# => "abc"
# => ["invalid_byte_sequence", "EUC-JP", "UTF-8", "\xA1", "d"]
p ec.putback # => "d"
p src # => "ef"

ec = Encoding::Converter.new("UTF-8", "US-ASCII", undef: :replace, invalid: :replace, replace: "<>")
p ec.convert("a\u3042\xFFb") # => "a<><>b"
p ec.finish # => ""
p ec.replacement # => "<>"

begin
  "\u00E9".encode("ISO-2022-JP")
rescue Encoding::UndefinedConversionError => e
  puts e.message # => "\x8F\xAB\xB1" to stateless-ISO-2022-JP in conversion from UTF-8 to EUC-JP to stateless-ISO-2022-JP to ISO-2022-JP
end
p "aあb".encode("ISO-2022-JP").bytes # => [97, 27, 36, 66, 36, 34, 27, 40, 66, 98]
p "\e$B$\"\e(B".dup.force_encoding("ISO-2022-JP").encode("UTF-8") # => "あ"
p "abc".encode("UTF-16").bytes # => [254, 255, 0, 97, 0, 98, 0, 99]
p "a\r\nb\rc\n".encode(universal_newline: true) # => "a\nb\nc\n"
p "<a&\"b\">".encode(xml: :attr) # => "\"&lt;a&amp;&quot;b&quot;&gt;\""
p Encoding::Converter.search_convpath("ISO-8859-1", "UTF-16BE", crlf_newline: true).size # => 3
p Encoding::Converter.asciicompat_encoding("ISO-2022-JP") # => #<Encoding:stateless-ISO-2022-JP>
p Encoding::Converter.new("", "", universal_newline: true) # => #<Encoding::Converter: universal_newline>

p "e\u0301".unicode_normalize == "\u00E9" # => true
p "\u00E9".unicode_normalize(:nfd).bytes # => [101, 204, 129]
p "\uFB01".unicode_normalize(:nfkc) # => "fi"
p "abc".unicode_normalized? # => true
begin
  "\xE9".dup.force_encoding("ISO-8859-1").unicode_normalize
rescue Encoding::CompatibilityError => e
  puts e.message # => Unicode Normalization not appropriate for ISO-8859-1
end
