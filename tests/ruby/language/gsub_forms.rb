# sub and gsub with strings, back references, hashes and blocks.
s = "the cat sat on the mat"
p s.sub("the", "a"), s.gsub("the", "a"), s.gsub(/[aeiou]/, "*"), s.gsub(/(\w)at/, '<\1>')
# => "a cat sat on the mat"
# => "a cat sat on a mat"
# => "th* c*t s*t *n th* m*t"
# => "the <c> <s> on the <m>"
p s.gsub(/(?<c>\w)at/, '\k<c>og'), s.gsub(/\w+/) { |word| word.capitalize }, s.gsub(/[ct]/, "c" => "C", "t" => "T")
# => "the cog sog on the mog"
# => "The Cat Sat On The Mat"
# => "The CaT saT on The maT"
p s.gsub(/o/, "0" => "x"), s.gsub("a") { $&.upcase }, s.gsub(/(c)(a)/) { $2 + $1 }
# => "the cat sat n the mat"
# => "the cAt sAt on the mAt"
# => "the act sat on the mat"
p s.gsub(/x/, "y").equal?(s), s.gsub!(/x/, "y"), s.sub!(/nothing/, "")
# => false
# => nil
# => nil
t = +"aaa"
p t.sub!("a", "b"), t.gsub!(/a/) { |m| m.succ }, t
# => "bbb"
# => "bbb"
# => "bbb"
p "a.b.c".gsub(".", "-"), "a\\b".gsub("\\", "/"), "x".gsub(/x/, '\\\\'), "x".gsub(/x/, "\\0\\0")
# => "a-b-c"
# => "a/b"
# => "\\"
# => "xx"
p "path/to".gsub("/", "::"), "hello".gsub(/l/, "l" => "L"), "hello".gsub(/(l)/) { $~.begin(0).to_s }
# => "path::to"
# => "heLLo"
# => "he23o"
p "abc".gsub(/b/, '[\0]'), "abc".gsub(/b/, "[\\&]"), "abc".gsub(/b/, '\`'), "abc".gsub(/b/, "\\'")
# => "a[b]c"
# => "a[b]c"
# => "aac"
# => "acc"
p "abc".gsub("", "-"), "abc".gsub(/(?=b)/, "|"), "aAbB".gsub(/[a-z]/, &:upcase), "é€".gsub(/./) { |c| c.bytes.size.to_s }
# => "-a-b-c-"
# => "a|bc"
# => "AABB"
# => "23"
p "hello world".tr("lo", "01"), "hello".tr("a-y", "b-z"), "hello".tr("^l", "*"), "hello".delete("l"), "aabb".squeeze
# => "he001 w1r0d"
# => "ifmmp"
# => "**ll*"
# => "heo"
# => "ab"
p "CamelCaseText".gsub(/([A-Z])/) { "_" + $1.downcase }.delete_prefix("_"), "snake_case_it".split("_").map(&:capitalize).join
# => "camel_case_text"
# => "SnakeCaseIt"
p "1,234,567".delete(",").to_i, "1234567".reverse.scan(/\d{1,3}/).join(",").reverse, "1234567".gsub(/(?<=\d)(?=(\d{3})+$)/, ",")
# => 1234567
# => "1,234,567"
# => "1,234,567"
p "a-b_c d".split(/[-_ ]/), "a,b,,c,,".split(","), "a,b,,c,,".split(",", -1), "abc".split(""), " a  b ".split, "a1b2".split(/(\d)/)
# => ["a", "b", "c", "d"]
# => ["a", "b", "", "c"]
# => ["a", "b", "", "c", "", ""]
# => ["a", "b", "c"]
# => ["a", "b"]
# => ["a", "1", "b", "2"]
p "x=1;y=2".scan(/(\w)=(\d)/), "test".scan(/t/), "aXbX".partition("X"), "aXbX".rpartition("X"), "abab".index("b", 2), "abab".rindex("a")
# => [["x", "1"], ["y", "2"]]
# => ["t", "t"]
# => ["a", "X", "bX"]
# => ["aXb", "X", ""]
# => 3
# => 2
e = "abc".gsub(/[ac]/)
p e.class, e.to_a, e.with_index.map { |m, i| m * (i + 1) }
# => Enumerator
# => ["a", "c"]
# => ["a", "cc"]
p "hello"[1], "hello"[1, 3], "hello"[/l+/], "hello"["ell"], "hello"[9], "hello".slice(0..1), "hello".sub(/(?<x>l)/) { $~[:x].upcase }
# => "e"
# => "ell"
# => "ll"
# => "ell"
# => nil
# => "he"
# => "heLlo"
p "multi\nline".gsub(/^/, "> "), "a\nb" =~ /a$/, "a\nb".match?(/\Aa\z/), "FOO".gsub(/foo/i, "bar"), "a b".gsub(/a b/x, "no"), "a\nb".gsub(/a.b/m, "dot")
# => "> multi\n> line"
# => 0
# => false
# => "bar"
# => "a b"
# => "dot"
