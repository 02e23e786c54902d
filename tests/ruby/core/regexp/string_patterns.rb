# Methods of String that take a Regexp.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
e { "hello".sub(/l/) { |x| x.upcase } } # => "heLlo"
e { "hello".gsub(/l/, "l" => "L") } # => "heLLo"
e { "hello".gsub(/[el]/, "e" => "3") } # => "h3o"
e { "a1b2".gsub(/(\d)/, '<\1\0\&\`\'\\\\>') } # => "a<111a'\\>b<222a1b'\\>"
e { "a1b2".gsub(/(?<d>\d)/, '<\k<d>>') } # => "a<1>b<2>"
e { "x".gsub(/x/, '\9\k') } # => "\\k"
e { "x".gsub(/x/, '\k<n>') } # => [IndexError, "undefined group name reference: n"]
e { "abc".gsub(/b*/, "-") } # => "-a--c-"
e { "éa".gsub(//, "-") } # => "-é-a-"
e { "x".gsub(5, "") } # => [TypeError, "wrong argument type Integer (expected Regexp)"]
e { "x".sub(/x/) } # => [ArgumentError, "wrong number of arguments (given 1, expected 2)"]
e { "x".gsub(/x/, 5) } # => [TypeError, "no implicit conversion of Integer into String"]
e { "abc".gsub(/[abc]/) { |c| c == "b" ? nil : c.ord } } # => "9799"
e { "aaa".sub(/a/) { $~[0] + $' } } # => "aaaaa"
e { "foo bar".gsub(/(\w)(\w*)/) { "#{$1.upcase}#{$2}" } } # => "Foo Bar"
e { "aaa".gsub(/a/).with_index { |m, i| "#{m}#{i}" } } # => "a0a1a2"
e { ["a.c".gsub(".", "-"), "abc".sub("c", '\0\0'), "a.c".gsub(".") { $~[0] * 2 }] } # => ["a-c", "abcc", "a..c"]
e { s = +"abc"; [s.sub!(/z/, ""), s.gsub!(/[ab]/, "a" => "1"), s] } # => [nil, "1c", "1c"]
e { s = +"abc"; [s.gsub!(/b/) { |x| x * 2 }, s.sub!(/c/) { "d" }, s] } # => ["abbd", "abbd", "abbd"]
e { "abc".freeze.sub!(/b/, "") } # => [FrozenError, "can't modify frozen String: \"abc\""]
e { "abc".freeze.gsub!(/z/, "") } # => [FrozenError, "can't modify frozen String: \"abc\""]
e { "abc".scan(/(.)(.)/) } # => [["a", "b"]]
e { ["abcabc".scan("b"), "ab12".scan(/([a-z])(\d)?/), "éé".scan(/./)] } # => [["b", "b"], [["a", nil], ["b", "1"]], ["é", "é"]]
e { r = []; "a1b2".scan(/([a-z])\d/) { |x| r << x << $~.pre_match }; r } # => [["a"], "", ["b"], "a1"]
e { ["a,b,,".split(/,/), "a,b,,".split(/,/, -1), "abc".split(//), "a1b2c".split(/(\d)/), "a b c".split(/ /, 2)] } # => [["a", "b"], ["a", "b", "", ""], ["a", "b", "c"], ["a", "1", "b", "2", "c"], ["a", "b c"]]
e { ["".split(/x/), "abc".split(//, 2), "abc".split(/b*/), "aXbXc".split(/(X)/, 2), " a b".split(/\s+/)] } # => [[], ["a", "bc"], ["a", "c"], ["a", "X", "bXc"], ["", "a", "b"]]
e { ["hello".index(/l/, 3), "hello".rindex(/l/), "hello".rindex(/l/, 2), "あいう".index(/う/), "あいう".rindex(/い/), "abc".index(/z/)] } # => [3, 3, 2, 2, 1, nil]
e { ["hello"[/l(.)/, 1], "hello"[/(?<q>l)/, :q], "hello"[/z/], "hello".slice(/e./)] } # => ["l", "l", nil, "el"]
e { ["hello".partition(/l/), "hello".rpartition(/l/), "hello".partition(/x/), "hello".rpartition(/x/)] } # => [["he", "l", "lo"], ["hel", "l", "o"], ["hello", "", ""], ["", "", "hello"]]
e { ["hello".start_with?(/he/), $~[0], "hello".start_with?(/l/)] } # => [true, "he", false]
e { s = +"hello"; s[/l+/] = "L"; s[/(h)(e)/, 2] = "E"; s } # => "hELo"
e { s = +"hello"; s[/zz/] = "x" } # => [IndexError, "regexp not matched"]
e { s = +"hello"; s[/(h)/, 3] = "x" } # => [IndexError, "index 3 out of regexp"]
e { s = +"hello"; [s.slice!(/l+/), s] } # => ["ll", "heo"]
e { ["abc".match(/b/)[0], "abc".match("b", 1)[0], "abc".match?("c"), "abc" =~ /c/] } # => ["b", "b", true, 2]
e { [:abc =~ /b/, :abc.match(/c/)[0], :abc.match?(/z/), :abc[/b./]] } # => [1, "c", false, "bc"]
e { "a\nb".gsub(/^/, "> ") } # => "> a\n> b"
e { "日本語".gsub(/./) { |c| c.ord.to_s(16) + " " } } # => "65e5 672c 8a9e "
e { ("ab\n" * 20_000).scan(/b/).size } # => 20000
e { ("ab\n" * 20_000).gsub(/a(b)/, '\1').size } # => 40000

# A match that `\K` made empty ends a longer one: the next search of `split` begins there.
p "abcd".split(/.\K/), "abcd".split(/(.)\K/), "abcd".split(/b\K/, -1) # => ["a", "b", "c", "d"]
                                    # => ["a", "a", "b", "b", "c", "c", "d", "d"]
                                    # => ["ab", "cd"]
p "日本語".split(/.\K/), "ab cd".split(/\K/) # => ["日", "本", "語"]
                                    # => ["a", "b", " ", "c", "d"]

# A block of scan that changes the length of the text ends it.
def modified = yield.then { "nothing" } rescue $!.message
p modified { s = +"abc"; s.scan(/./) { s << "x" } } # => "string modified"
p modified { s = +"abc"; s.scan("b") { s.clear } } # => "string modified"
p modified { s = +"abc"; s.scan(/./) { s.upcase! } } # => "nothing"

# Where a search begins matters to \K and \G when a text is split, in wide characters too.
p "--abc".split(/\B(?!\G)/)                 # => ["-", "-a", "b", "c"]
p "abbc".split(/(?!\G)b?/)                  # => ["a", "b", "c"]
wide = Regexp.new(".\\K".encode("UTF-16LE"))
p "B-ab".encode("UTF-16LE").split(wide, -1).map { |s| s.encode("UTF-8") } # => ["B", "-", "a", "b", ""]

# The Regexp's own match, if it takes more, gives what is yielded.
own = Class.new(Regexp) { def match(*parts) = parts.join }.new("foo")
p "foo".match(own)                          # => "foo"
p "foo".match(own, "b", "c"), :foo.match(own, "b", "c") { |s| s.size } # => "foobc"
                                            # => 5

# Where a search cannot begin there is no match; the offset is asked once.
p [("o" =~ /o/; "foo".byteindex(/o/, -4); $~), ("o" =~ /o/; "foo".byterindex(/o/, -4); $~)] # => [nil, nil]
$asked = 0
one = Class.new { def to_int = ($asked += 1) }
p "foo".byteindex(/o/, one.new), "foo".byterindex(/o/, one.new), $asked # => 1
                                            # => 2
                                            # => 2
p modified { s = +"a b c"; s.split { s << "x" } } # => "string modified"
p modified { s = +"a b c"; s.split(/ /) { s.clear } } # => "string modified"
