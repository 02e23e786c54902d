# Corners of strings and symbols that generated programs found.
def try
  yield
rescue StandardError, NotImplementedError => e
  "#{e.class}: #{e.message}"
end

# Strings whose bytes are not valid: a pattern is refused, a split too, as far as it looks.
puts try { "abc".gsub("a\xff", "x") } # => RegexpError: invalid multibyte character: /a\xFF/
puts try { "abc".sub("a\xff", "x") } # => RegexpError: invalid multibyte character: /a\xFF/
puts try { "a \xE9".split } # => ArgumentError: invalid byte sequence in UTF-8
puts try { "a \xE9".split(" ") } # => ArgumentError: invalid byte sequence in UTF-8
puts try { "a,\xE9".split(",") } # => ArgumentError: invalid byte sequence in UTF-8
puts try { "abc".split("a\xff") } # => ArgumentError: invalid byte sequence in UTF-8
p try { "a b \xE9".split(" ", 2) } # => ["a", "b \xE9"]
p try { "a\xE9 b".split(" ", 1) } # => ["a\xE9 b"]

# pack takes the low bits of what is no digit.
p ["^X-Z"].pack("H*") # => "\xE1\xD3"
p ["xyz{@"].pack("h*") # => "!\xB3\x00"

# Floats that are no index.
puts try { "abc"[Float::NAN] } # => RangeError: float NaN out of range of integer
puts try { [1][-1.5e300] } # => RangeError: float -1.5e+300 out of range of integer
puts try { [1].first(Float::INFINITY) } # => RangeError: float Inf out of range of integer

# Symbols in encodings where ASCII's bytes are not ASCII.
wide = "ab".encode("UTF-16LE").to_sym
p wide, wide.size, wide == :ab # => :"ab"
# => 2
# => false
p wide.to_s.encoding, wide.succ.to_s == "ac".encode("UTF-16LE") # => #<Encoding:UTF-16LE>
# => true

# Numbers are read in encodings that know ASCII; a radix is an int.
utf16 = "12".encode("UTF-16LE")
puts try { utf16.to_i } # => Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
puts try { utf16.to_r } # => Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
puts try { utf16.to_c } # => Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
puts try { utf16.hex } # => Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
puts try { Integer(utf16) } # => Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16LE
puts try { "12".to_i(2**40) } # => RangeError: integer 1099511627776 too big to convert to 'int'
puts try { 12.to_s(-2**40) } # => RangeError: integer -1099511627776 too small to convert to 'int'
puts try { Integer("12", 2**40) } # => RangeError: integer 1099511627776 too big to convert to 'int'
puts try { "a".upcase(1) } # => ArgumentError: invalid option
p ".5".to_r, "-.5".to_c, "3+.5i".to_c, ".".to_r # => (1/2)
# => (-0.5+0i)
# => (3+0.5i)
# => (0/1)
puts try { Integer(:a, 0) } # => TypeError: can't convert Symbol into Integer
puts try { Regexp.union(:a, :b) } # => TypeError: no implicit conversion of Symbol into String
p Regexp.union(:a) # => /a/
puts try { Struct.new(:a=) } # => ArgumentError: invalid struct member: a=
p Struct.new(:"x y=").members # => [:"x y="]

# What is no text is found nowhere, and not taken away.
text = "a\xFF"
p text.include?("\xFF"), text["\xFF"], text.index("\xFF"), text.rindex("\xFF") # => false
# => nil
# => nil
# => nil
p text.chomp("\xFF"), text.delete_suffix("\xFF"), "\xFFa".delete_prefix("\xFF") # => "a\xFF"
# => "a\xFF"
# => "a"
p text.partition("\xFF"), text.end_with?("\xFF") # => ["a\xFF", "", ""]
# => true
puts try { text.scan("a") } # => ArgumentError: invalid byte sequence in UTF-8
puts try { text.casecmp?("A\xFF") } # => ArgumentError: input string invalid
puts try { (+"ab")[5, -7] = 1 } # => IndexError: negative length -7
puts try { Struct.new(:==) } # => NameError: cannot make operator ID :== attrset
puts try { Struct.new(:"") } # => NameError: cannot make operator ID : attrset
p Struct.new(:[], :a?).members # => [:[], :a?]
