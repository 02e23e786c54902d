# What symbols of encodings other than UTF-8 may be, and the encodings of what they are shown as.
p :a.inspect.encoding # => #<Encoding:US-ASCII>
p :+.inspect.encoding # => #<Encoding:US-ASCII>
p :[]=.inspect.encoding # => #<Encoding:US-ASCII>
p :"a b".inspect.encoding # => #<Encoding:UTF-8>
p :"é".inspect.encoding # => #<Encoding:UTF-8>
p [:a, "é"].inspect.encoding # => #<Encoding:UTF-8>
p "#{:a.inspect}é" # => ":aé"

# Of encodings that have not ASCII in them, any bytes.
p "a".dup.force_encoding("UTF-16BE").to_sym # => :"\x61"
p "\e$B".dup.force_encoding("UTF-32LE").to_sym # => :"\x1B\x24\x42"
p "\xD8\x00".dup.force_encoding("UTF-16BE").to_sym.encoding # => #<Encoding:UTF-16BE>
p(("\xFF".dup.to_sym rescue $!.message)) # => "invalid symbol in encoding UTF-8 :\"\\xFF\""
p(("\xFF".dup.force_encoding("EUC-JP").to_sym rescue $!.message)) # => "invalid symbol in encoding EUC-JP :\"\\xFF\""

# Lead bytes of all kinds of Big5 begin at the same one.
%w[Big5 Big5-HKSCS Big5-UAO CP950 CP951].each do |name|
  p ["\x81@", "\xA0@", "\xA1@", "\xFE@", "\xFF@"].map { it.dup.force_encoding(name).valid_encoding? }
end
# => [false, false, true, true, false]
# => [false, false, true, true, false]
# => [false, false, true, true, false]
# => [false, false, true, true, false]
# => [false, false, true, true, false]

# Characters of the variants of UTF-8 are not shown as themselves.
%w[UTF8-MAC UTF8-DoCoMo UTF8-KDDI UTF8-SoftBank CESU-8].each do |name|
  text = "é\u3042".dup.force_encoding(name)
  puts "#{text.inspect} #{text.to_sym.inspect} #{text.dump}"
end
# => "\u00E9\u3042" :"\u00E9\u3042" "\xC3\xA9\xE3\x81\x82"
# => "\u00E9\u3042" :"\u00E9\u3042" "\xC3\xA9\xE3\x81\x82"
# => "\u00E9\u3042" :"\u00E9\u3042" "\xC3\xA9\xE3\x81\x82"
# => "\u00E9\u3042" :"\u00E9\u3042" "\xC3\xA9\xE3\x81\x82"
# => "\u00E9\u3042" :"\u00E9\u3042" "\xC3\xA9\xE3\x81\x82"
