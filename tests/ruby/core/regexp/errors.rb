# Errors of regexps: what they say, in which encoding, and when.
def message
  yield
  "nothing"
rescue StandardError, SyntaxError => e
  [e.class, e.message]
end
p message { Regexp.new("é(/", Regexp::IGNORECASE | Regexp::EXTENDED) } # => [RegexpError, "end pattern with unmatched parenthesis: /\\u00E9(\\//ix"]
p message { Regexp.new("é(") }          # => [RegexpError, "end pattern with unmatched parenthesis: /é(/"]
begin
  Regexp.new("\xa4\xa2(".dup.force_encoding("EUC-JP"))
rescue RegexpError => e
  p e.message.encoding                  # => #<Encoding:EUC-JP>
end
p message { Regexp.new("é", Regexp::NOENCODING) } # => [RegexpError, "/.../n has a non escaped non ASCII character in non ASCII-8BIT script: /é/"]
p message { Regexp.new("(())(?<X>)((?(90000)))") } # => [RegexpError, "invalid backref number/name: /(())(?<X>)((?(90000)))/"]

# A literal's error is the source's.
p message { eval("\n/(?<a>x)\\1/", nil, "f") } # => [SyntaxError, "f:2: numbered backref/call is not allowed. (use name): /(?<a>x)\\1/"]
p message { eval('def f = /#{x}a{100001}b#{y}/; 1', nil, "f") } # => "nothing"
p message { eval('/#{"\\\\"}y/', nil, "f") }[0] # => SyntaxError

# Each part of a dynamic regexp stands alone.
p message { s = "\\"; /#{s}y/ }         # => [ArgumentError, "too short escape sequence"]
p message { s = "\xa4\xa2".dup.force_encoding("EUC-JP"); /é#{s}/ } # => [RegexpError, "encoding mismatch in dynamic regexp : UTF-8 and EUC-JP"]
s = "a"
p(/#{s}/e.encoding, /#{s}/u.encoding, /#{s}/s.encoding, /#{s}/n.encoding) # => #<Encoding:EUC-JP>
                                        # => #<Encoding:UTF-8>
                                        # => #<Encoding:Windows-31J>
                                        # => #<Encoding:US-ASCII>
# `o` is one Regexp for all threads.
once = proc { |i| /#{Thread.pass; i}/o }
p 8.times.map { |i| Thread.new { once.call(i) } }.map(&:value).uniq.size # => 1

# Names of groups in another encoding, and in a replacement.
key = "\xb1\xb2".dup.force_encoding("EUC-JP")
m = Regexp.new("(?<".encode("EUC-JP") + key + ">.*)".encode("EUC-JP")).match("xxx")
p m[key]                                # => "xxx"
p message { m[key.dup.force_encoding("Shift_JIS")] }[0] # => IndexError
p message { "abc".match("b")["é"] }     # => [IndexError, "undefined group name reference: é"]
p message { "foo".sub(/(?<x>o)/, '\k<x') } # => [RuntimeError, "invalid group name reference format"]
p "bar".sub(/(?<x>o)/, '\k<x')          # => "bar"
p "a1".encode("UTF-16LE").sub(Regexp.new("1".encode("UTF-16LE")), '[\0]'.encode("UTF-16LE")).encode("UTF-8") # => "a[1]"
p "表1".encode("Windows-31J").sub(/1/, "表0".encode("Windows-31J")).encode("UTF-8") # => "表表0"
p message { s = +"aaa bbb"; s[/a (b)/, -2] = "x" } # => [IndexError, "index -2 out of regexp"]

# Regexps shown.
p Regexp.new("é/").inspect, Regexp.new("é/").to_s # => "/\\u00E9\\//"
                                        # => "(?-mix:é\\/)"
p Regexp.new("é/".encode("UTF-16LE")).to_s.encode("UTF-8") # => "(?-mix:é\\/)"
p Regexp.union(/\//, "/").source        # => "(?-mix:/)|/"
p message { Regexp.union("a".encode("UTF-16LE"), "a") } # => [ArgumentError, "ASCII incompatible encoding: UTF-16LE"]
p Regexp.union("a".encode("UTF-16LE"), "b".encode("UTF-16LE")).encoding # => #<Encoding:UTF-16LE>
p Regexp.allocate.encoding, Regexp.allocate.fixed_encoding? # => #<Encoding:BINARY (ASCII-8BIT)>
                                        # => false
p Regexp.new("a", timeout: Float::INFINITY).timeout, Regexp.new("a", timeout: 0.5).timeout # => 18446744073.709553
                                        # => 0.5
