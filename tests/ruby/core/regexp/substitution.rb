# sub and gsub by their fast ways and beside them: Hashes, texts, characters and runs that the machine is not asked about.
hash = { "a" => "1", "b" => nil, "c" => :sym, "d" => 4 }
p "abx".gsub(/[abx]/, hash) # => "1"
p $~ # => #<MatchData "x">
p "acd".gsub(/[a-d]/, hash) # => "1sym4"
p "xyz".gsub(/[a-d]/, hash) # => "xyz"
p $~ # => nil
p "abc".gsub(/./, Hash.new { |_, k| k.upcase }) # => "ABC"
p "abc".gsub(/b/, Hash.new("-")) # => "a-c"
class Ended < Hash
  def default(key) = "<#{key}>"
end
p "abc".gsub(/[bc]/, Ended.new) # => "a<b><c>"
p "aéa".gsub(/a/, "a" => "ü") # => "üéü"
p "aa".gsub(/a/, "a" => "ü") # => "üü"
p "aa".encode("US-ASCII").gsub(/a/, "a" => "ü").encoding # => #<Encoding:UTF-8>
p "a.b.a".gsub("a", "a" => "ü") # => "ü.b.ü"
p "abc".sub(/b/, "b" => "ü") # => "aüc"
p $~.offset(0) # => [1, 2]

p "foo".sub(/o/, "0"), $~.begin(0) # => "f0o"
# => 1
p "foo".gsub(/o/, "0"), $~.begin(0) # => "f00"
# => 2
p "foo".gsub("o", "0"), $~.begin(0) # => "f00"
# => 2
p "foo".sub(/x/, "0"), $~ # => "foo"
# => nil
s = "foo"
p s.sub(/x/, "").equal?(s) # => false
p(("aé".sub(/a/, "\xff".b) rescue $!.class)) # => Encoding::CompatibilityError
p "aa".sub(/a/, "\xff".b).encoding # => #<Encoding:BINARY (ASCII-8BIT)>
p "aé".encode("ISO-8859-1").gsub(/a/, "b").encoding # => #<Encoding:ISO-8859-1>
p "one two".sub(/(?<x>\w+) (\w+)/, '[\k<x>]') # => "[one]"
p "one two".gsub(/(\w+)/, '<\1\0\`\'\\\\>') # => "<oneone'\\> <twotwoone '\\>"
begin
  "one".sub(/(?<x>o)/, '\k<y>')
rescue IndexError => e
  p e.message # => "undefined group name reference: y"
end
p "none".sub(/x/, '\k<y>') # => "none"
p ("ab" * 100).gsub(/b/, "").size # => 100
p ("é" * 100).gsub(/é/, "e").size # => 100

# The subject's length may not change under a block.
s = +"aaa"
begin
  s.gsub(/a/) { s << "b"; "c" }
rescue RuntimeError => e
  p e.message # => "string modified"
end
p "a1b2".gsub(/\d/) { "x y" =~ /y/; $~[0] } # => "ayby"
p $~ # => #<MatchData "2">
p "a1b2".scan(/\d/) { "z" =~ /z/ }, $~[0] # => "a1b2"
# => "2"
p "a1b2".gsub(/\d/).with_index.map { |m, i| [m, i] } # => [["1", 0], ["2", 1]]

# Texts, characters and runs.
p "a  b".index(/ +/), $~.end(0) # => 1
# => 3
p "a  b".match?(/ +\z/), "xx"[/x+/], "éx".scan(/x+/), "éx".scan(/[^a-z]+/) # => false
# => "xx"
# => ["x"]
# => ["é"]
p "日本x日".scan(/[x]/), "日本x日".index(/x/), "日本".byteindex(/本/) # => ["x"]
# => 2
# => 3
p "foobar".start_with?(/foo/), $~[0], "foobar".start_with?(/bar/), $~ # => true
# => "foo"
# => false
# => nil
p "aab".rindex(/a/), "a--b".split(/-/), "a--b".split(/-+/) # => 1
# => ["a", "", "b"]
# => ["a", "b"]
long = " " * 300_000 + "x"
p long.match?(/ +x/), long[/ +/].size, long.gsub(/ +/, "-") # => true
# => 300000
# => "-x"

# Alternatives that begin alike are tried in their order.
p "abcd"[/ab|abc|abcd/], "abcd"[/abcd|abc|ab/], "abcd"[/abc|x|ab|abcd/] # => "ab"
# => "abcd"
# => "abc"
p "abcd"[/\A(?:ab|abc|abcd)\z/], "ac"[/ab||ac/], "acx"[/(?:ab||ac)x/] # => "abcd"
# => ""
# => "acx"
p "foobar"[/foo|fob|\w+|fooba/], "fob"[/foo|fob|f/], "aaaa"[/a|aa|aaa/], "xaaa"[/b|aaa|aa|a/] # => "foo"
# => "fob"
# => "a"
# => "aaa"
p "STRASSE" =~ /straße|stra/i, "straße"[/STRASSE|x|y/i], "ſ" =~ /s|k/i # => 0
# => "straße"
# => 0

# sub! puts the replacement where the match lies.
s = +"  some é  "
p s.sub!(/\A\s+/, "").dup, s.sub!(/\s+\z/, "!"), s, $~[0], $~.string, s.sub!(/x/, "y"), $~ # => "some é  "
# => "some é!"
# => "some é!"
# => "  "
# => "some é  "
# => nil
# => nil
s = +"aXb"
p s.sub!(/X/, s).dup, s.sub!(/X/, '[\0]').dup, s.sub!(/\[X\]/, "é"), s.encoding, s.valid_encoding? # => "aaXbb"
# => "aa[X]bb"
# => "aaébb"
# => #<Encoding:UTF-8>
# => true
s = +"long " * 100
t = s.dup
p s.sub!(/long /, "short ").size, t.size, s.frozen?, ("ab".b.sub!(/b/, "c")).encoding # => 501
# => 500
# => false
# => #<Encoding:BINARY (ASCII-8BIT)>
