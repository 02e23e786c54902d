# Converters: what follows an error, stateful encodings, places without a character, decorators as encodings.
# args: -W0
require "tmpdir"

def tried
  yield
rescue StandardError => e
  "#{e.class}: #{e.message}"
end

p "\x82\xa0".b.encode("UTF-8", "SJIS") # => "あ"
p "あ".encode("EUC-JP", nil).bytes # => [164, 162]
p "\xfd\xa1".encode("Shift_JIS", "EUC-JP").bytes # => [239, 64]
p "\xef\x40".encode("EUC-JP", "Shift_JIS").bytes # => [253, 161]
p tried { "\xef\x40".encode("UTF-8", "Shift_JIS") } # => "Encoding::UndefinedConversionError: \"\\xEF@\" from Shift_JIS to UTF-8"
p tried { "\x87\x40".encode("UTF-8", "Shift_JIS") }[0, 37] # => "Encoding::UndefinedConversionError: \""
p "\x87\x40".encode("UTF-8", "Windows-31J") # => "①"
p tried { "\xa2\xb0".encode("UTF-8", "GB2312") }[0, 34] # => "Encoding::UndefinedConversionError"
p "\uFF71" == "\x0e\xb1".encode("UTF-8", "CP50221") # => true
p "\u{e5e5}".encode("GB18030").encode("UTF-8") == "\u{e5e5}" # => true
p "\u{e000}".encode("Windows-31J").bytes # => [240, 64]

ec = Encoding::Converter.new("UTF-16BE", "UTF-8")
ec.primitive_convert(source = "\xd8\x00\x00@".b, +"", nil, 10)
p ec.primitive_errinfo # => [:invalid_byte_sequence, "UTF-16BE", "UTF-8", "\xD8\x00", "\x00"]
p source # => "@"
ec = Encoding::Converter.new("", "")
ec.primitive_convert(source = +"abcdefg", target = +"", nil, 2)
p [source, target] # => ["cdefg", "ab"]
p Encoding::Converter.new("", "amp_escape").convert("&<") # => "&amp;<"
p Encoding::Converter.new([]).convpath # => []
p tried { Encoding::Converter.new("", "", crlf_newline: true, cr_newline: true) }[0, 32] # => "Encoding::ConverterNotFoundError"
p tried { "".encode("EUC-JP", undef: :replace, replace: "\x80".dup.force_encoding("EUC-JP")) }[0, 43] # => "ArgumentError: replacement string is broken"
p tried { Encoding.find("UTF-8".encode("UTF-32BE")) } # => "ArgumentError: invalid encoding name (non ASCII)"

Dir.mktmpdir do |dir|
  file = "#{dir}/text"
  File.binwrite(file, "あ\x80い\n")
  open(file, "r:utf-8:euc-jp") do |f|
    p tried { f.gets } # => "Encoding::InvalidByteSequenceError: \"\\x80\" on UTF-8"
    p f.gets.encode("UTF-8") # => "い\n"
  end
  open(file, "w:iso-2022-jp") { |f| f << "あ" << "い".encode("SJIS") }
  p File.binread(file) # => "\e$B$\"$$\e(B"
  open(file, "w:iso-2022-jp") do |f|
    8.times.map { Thread.new { 50.times { f.write("あ") } } }.each(&:join)
  end
  p File.binread(file) == "\e$B#{'$"' * 400}\e(B" # => true
  open(file, "wb", xml: :attr) { |f| f.print "<"; f.puts "a" }
  p File.binread(file) # => "\"&lt;a\n\""
  File.binwrite(file, "before \u00FF after")
  p open(file, "r:utf-8:iso-8859-1") { |f| f.gets("\xFF".dup.force_encoding("iso-8859-1")).bytes.last(2) } # => [32, 255]
  File.binwrite(file, "a\r\n\r\n\r\nc")
  p open(file, "rt") { |f| [f.gets(""), f.gets("")] } # => ["a\n\n", "c"]
  open(file, "wb") { |f| f.puts("\u010a".encode("UTF-32BE")) }
  p File.binread(file) # => "\x00\x00\x01\n\n"
end
