# Texts that are cut at their ends, read back from dumps, and compared with what says how it converts.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

class Name < String; end
t { name = -Name.new("foo"); [name.class, name.frozen?] } # => [Name, true]
t { name = Name.new("foo"); -name; name.frozen? } # => false
t { "\0\u{ABCD}".dump.undump } # => "\u0000ꯍ"
t { '"\\x41\\u3042"'.undump } # => "Aあ"
t { '"\\x80\\u3042"'.undump } # => RuntimeError: hex escape and Unicode escape are mixed
t { '"\\u3042\\x80"'.undump } # => RuntimeError: hex escape and Unicode escape are mixed
t { "FooBar"[/(F)(o)/, -2] = "x" } # => "x"
t { "FooBar"[/(F)(o)/, -3] = "x" } # => IndexError: index -3 out of regexp
t { "\u3042".encode("ISO-2022-JP").rstrip } # => Encoding::CompatibilityError: incompatible encoding with this operation: ISO-2022-JP
t { "\u3042".encode("ISO-2022-JP").strip } # => Encoding::CompatibilityError: incompatible encoding with this operation: ISO-2022-JP
t { "abc".match("b", 1, 2) } # => ArgumentError: wrong number of arguments (given 3, expected 1..2)
class Greedy < Regexp
  def match(*given) = block_given? ? yield(given) : given
end
greedy = Greedy.new("b")
t { "abc".match(greedy, 1, 2) } # => ["abc", 1, 2]
t { "abc".match(greedy, 1, 2, &:size) } # => 3
t { :abc.match(greedy, 1, 2) } # => ["abc", 1, 2]
old = Object.new
def old.respond_to?(name) = name == :to_str ? nil : super
def old.to_str = ""
def old.==(other) = "" == other
t { "" == old } # => false
