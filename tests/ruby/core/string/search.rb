# Searching, splitting, iterating and substituting with string patterns.

def e; p yield; rescue NotImplementedError, StandardError => x; p [x.class, x.message]; end
s = "hello world"
e { "abc".index("c") } # => 2
e { "héllo".index("l", -2) } # => 3
e { "abc".index("c", 5) } # => nil
e { "abcabc".rindex("b") } # => 4
e { "abcabc".rindex("b", 3) } # => 1
e { "abcabc".rindex("b", -4) } # => 1
e { "hello".index(1) } # => [TypeError, "no implicit conversion of Integer into String"]
e { "abc".start_with?("ab", "x") } # => true
e { "abc".end_with?("bc") } # => true
e { "abc".end_with?(1) } # => [TypeError, "no implicit conversion of Integer into String"]
e { "abc".include?("b") } # => true
e { "abc".include?(nil) } # => [TypeError, "no implicit conversion of nil into String"]
e { "a,b,c".split(",") } # => ["a", "b", "c"]
e { "a,b,,c,,".split(",") } # => ["a", "b", "", "c"]
e { "a,b,,c,,".split(",", -1) } # => ["a", "b", "", "c", "", ""]
e { "a,b,c".split(",", 2) } # => ["a", "b,c"]
e { " a  b c ".split } # => ["a", "b", "c"]
e { " a  b c ".split(" ", 2) } # => ["a", "b c "]
e { " a  b c ".split(" ", -1) } # => ["a", "b", "c", ""]
e { "abc".split("") } # => ["a", "b", "c"]
e { "abc".split("", 2) } # => ["a", "bc"]
e { "".split(",") } # => []
e { "héé".split("") } # => ["h", "é", "é"]
e {"a b".split(nil)} # => ["a", "b"]
e{"abc".split(",", 1)} # => ["abc"]
e { "abc".split(1) } # => [TypeError, "wrong argument type Integer (expected Regexp)"]
e { r = []; "a b".split { |x| r << x }; r } # => ["a", "b"]
e { "a\nb\nc".lines } # => ["a\n", "b\n", "c"]
e { "a\nb\n".lines(chomp: true) } # => ["a", "b"]
e { "a\r\nb".lines(chomp: true) } # => ["a", "b"]
e { "a\n\n\nb\n".lines("") } # => ["a\n\n", "b\n"]
e { "axbx".lines("x") } # => ["ax", "bx"]
e { "abc".lines(nil) } # => ["abc"]
e { "a\n\n\nb\n".each_line("", chomp: true).to_a } # => ["a", "b\n"]
e { "abc".chars } # => ["a", "b", "c"]
e { "aé".chars } # => ["a", "é"]
e { "aé".codepoints } # => [97, 233]
e { "a\xff".codepoints } # => [ArgumentError, "invalid byte sequence in UTF-8"]
e { "🇯🇵e\u0301".grapheme_clusters.size } # => 2
e { r = []; "aé".each_char { |c| r << c }; r } # => ["a", "é"]
e { "abc".each_char.to_a } # => ["a", "b", "c"]
e { "abc".each_char.size } # => 3
e { "hello".sub("l", "L") } # => "heLlo"
e { "hello".gsub("l", "L") } # => "heLLo"
e { "hello".gsub("l") { |x| x.upcase } } # => "heLLo"
e { "hello".gsub("l", "l" => "1") } # => "he11o"
e { "hello".gsub("x", "y") } # => "hello"
e { "hello".gsub!("x", "y") } # => nil
e { "hello".gsub("", "-") } # => "-h-e-l-l-o-"
e { "hé".gsub("", "-") } # => "-h-é-"
e { "hello".sub("l") } # => [ArgumentError, "wrong number of arguments (given 1, expected 2)"]
e { "hello".gsub("l").to_a } # => ["l", "l"]
e { "a.b".gsub(".", "-") } # => "a-b"
e { "hello".gsub(1, "x") } # => [TypeError, "wrong argument type Integer (expected Regexp)"]
e { "hello".sub("l", 1) } # => [TypeError, "no implicit conversion of Integer into String"]
e { "hello".sub("ll", "<\\`|\\'>") } # => "he<he|o>o"
e { "abcabc".scan("bc") } # => ["bc", "bc"]
e { "abc".partition("b") } # => ["a", "b", "c"]
e { "abc".partition("x") } # => ["abc", "", ""]
e { "abcb".rpartition("b") } # => ["abc", "b", ""]
e { "abc".rpartition("x") } # => ["", "", "abc"]
e { "abc".delete_prefix("a") } # => "bc"
e { "abc".delete_suffix("c") } # => "ab"
e { "abc".delete_suffix!("x") } # => nil
e { o = Object.new; def o.to_str; "zz"; end; ["a" + o, "zz" == o, "azz".include?(o), "azz".index(o)] } # => ["azz", false, true, 1]
e { "abc".each_line.to_a } # => ["abc"]

# `split` without a separator takes `$;`.
$; = ","
p "a,b c,,".split, "a,b c".split(nil, 2), "".split, "a b".split(" ") # => ["a", "b c"]
# => ["a", "b c"]
# => []
# => ["a", "b"]
$; = /\d/
p "a1b2c".split, "a1b".split("b") # => ["a", "b", "c"]
# => ["a1"]
$; = nil
p " a b ".split # => ["a", "b"]
# The lines of a long text, which are made part by part: whatever lies where a part ends.
long = Array.new(9000) { |i| "#{"é" * (i % 7)}#{i}#{"\r" if i % 5 == 0}\n" }.join
e { long.each_line.to_a == long.lines } # => true
e { long.each_line(chomp: true).to_a == long.lines(chomp: true) } # => true
e { (long + "end").each_line.to_a.last(2) } # => ["éééé8999\n", "end"]
e { long.b.each_line.to_a == long.b.lines } # => true
e { long.encode("UTF-16LE").each_line.to_a == long.encode("UTF-16LE").lines } # => true
e { n = 0; copy = long.dup; copy.each_line { |l| n += l.size; copy.clear }; n == long.size } # => true
e { long.each_line(wrong: 1) { } } # => [ArgumentError, "unknown keyword: :wrong"]
e { long.each_line { break 5 } } # => 5
# A String looked for in a String.
e { ["abc".sub("b", "x"), $~[0], $~.pre_match, $~.regexp] } # => ["axc", "b", "a", /b/]
e { ["abc".sub("z", "x"), $~] } # => ["abc", nil]
e { ["aéc".sub("c", "x"), "aéc".sub("", "x"), "abc".sub("b", "\\0\\0")] } # => ["aéx", "xaéc", "abbc"]
e { "a\xffb".sub("b", "c") } # => "a\xFFc"
e { "ab".encode("UTF-16LE").sub("b".encode("UTF-16LE"), "c".encode("UTF-16LE")) == "ac".encode("UTF-16LE") } # => true
e { "ab".force_encoding("US-ASCII").sub("b", "é").encoding } # => #<Encoding:UTF-8>
e { ("aa" * 100 + "ab").index("aab") } # => 199
e { ["aab".index("ab", 1), "aab".index("ab", 2), "ab".index("abc"), "ab".index("b", 9)] } # => [1, nil, nil, nil]
