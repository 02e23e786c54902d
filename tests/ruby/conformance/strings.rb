# Methods of String that change it in place, and what they return when nothing changes; corners of others.
# args: -W0
[
  [:capitalize!, "hELLO", "Hello"], [:chop!, "ab\r\n", ""], [:lstrip!, " \t\0a ", "a"], [:rstrip!, "a \0", "a"], [:strip!, " a ", "a"],
  [:succ!, "az", ""], [:next!, "Zz9", ""], [:upcase!, "aé", "A"], [:downcase!, "AÉ", "a"], [:swapcase!, "aB", "1"], [:reverse!, "abc", ""],
  [:squeeze!, "aabb", "ab"], [:chomp!, "a\n", "a"], [:unicode_normalize!, "e\u0301", "a"],
].each do |name, changes, stays|
  a, b = changes.dup, stays.dup
  p [name, a.send(name), a, b.send(name), b]
# => [:capitalize!, "Hello", "Hello", nil, "Hello"]
# => [:chop!, "ab", "ab", nil, ""]
# => [:lstrip!, "a ", "a ", nil, "a"]
# => [:rstrip!, "a", "a", nil, "a"]
# => [:strip!, "a", "a", nil, "a"]
# => [:succ!, "ba", "ba", "", ""]
# => [:next!, "AAa0", "AAa0", "", ""]
# => [:upcase!, "AÉ", "AÉ", nil, "A"]
# => [:downcase!, "aé", "aé", nil, "a"]
# => [:swapcase!, "Ab", "Ab", nil, "1"]
# => [:reverse!, "cba", "cba", "", ""]
# => [:squeeze!, "ab", "ab", nil, "ab"]
# => [:chomp!, "a", "a", nil, "a"]
# => [:unicode_normalize!, "é", "é", "a", "a"]
end
[
  [:delete_prefix!, "abc", "a"], [:delete_prefix!, "abc", "x"], [:delete_suffix!, "abc", "c"], [:delete!, "hello", "l"], [:delete!, "hello", "x"],
  [:squeeze!, "aabb", "b"], [:tr!, "hello", "l"], [:tr_s!, "hello", "l"], [:sub!, "abc", "b"], [:gsub!, "abc", "x"], [:encode!, "é", "UTF-16LE"],
  [:slice!, "hello", 1..2], [:slice!, "hello", 9], [:slice!, "hello", /l+/], [:slice!, "hello", "ell"], [:insert, "abc", -2], [:prepend, "b", "a"],
  [:concat, "a", 98], [:replace, "a", "b"], [:force_encoding, "é", "BINARY"], [:setbyte, "abc", 0], [:[]=, "abc", 1], [:byteslice, "héllo", 1],
].each do |name, text, argument|
  s = text.dup
  rest = { tr!: ["r"], tr_s!: ["r"], sub!: ["X"], gsub!: ["X"], insert: ["Z"], setbyte: [65], "[]=": ["ZZ"] }.fetch(name, [])
  p [name, s.send(name, argument, *rest), s]
# => [:delete_prefix!, "bc", "bc"]
# => [:delete_prefix!, nil, "abc"]
# => [:delete_suffix!, "ab", "ab"]
# => [:delete!, "heo", "heo"]
# => [:delete!, nil, "hello"]
# => [:squeeze!, "aab", "aab"]
# => [:tr!, "herro", "herro"]
# => [:tr_s!, "hero", "hero"]
# => [:sub!, "aXc", "aXc"]
# => [:gsub!, nil, "abc"]
# => [:encode!, "\u00E9", "\u00E9"]
# => [:slice!, "el", "hlo"]
# => [:slice!, nil, "hello"]
# => [:slice!, "ll", "heo"]
# => [:slice!, "ell", "ho"]
# => [:insert, "abZc", "abZc"]
# => [:prepend, "ab", "ab"]
# => [:concat, "ab", "ab"]
# => [:replace, "b", "b"]
# => [:force_encoding, "\xC3\xA9", "\xC3\xA9"]
# => [:setbyte, 65, "Abc"]
# => [:[]=, "ZZ", "aZZc"]
# => [:byteslice, "\xC3", "héllo"]
end
begin
  "lit".freeze.capitalize!
rescue FrozenError => e
  puts e.message # => can't modify frozen String: "lit"
end
p("e\u0301x👨‍👩‍👧!".each_grapheme_cluster.map(&:size)) # => [2, 1, 5, 1]
p("e\u0301x".grapheme_clusters) # => ["é", "x"]
p("ab".each_grapheme_cluster.size) # => 2
p(-"dedup") # => "dedup"
p((-"dedup").equal?(-"dedup")) # => true
p("a".dedup.frozen?) # => true
p(+"a".freeze) # => "a"
p("az".succ) # => "ba"
p("zz".succ) # => "aaa"
p("a9".succ) # => "b0"
p("Az".succ) # => "Ba"
p("-9".succ) # => "-10"
p("1.9.9".succ) # => "2.0.0"
p("".succ) # => ""
p("\xFF".b.succ) # => "\x01\x00"
p("é".succ) # => "ê"
p("<<koala>>".succ) # => "<<koalb>>"
p("***".succ) # => "**+"
p("hello world".capitalize) # => "Hello world"
p("ǆ".capitalize) # => "ǅ"
p("ß".upcase) # => "SS"
p("ÀÉ".downcase(:ascii)) # => "ÀÉ"
p("I".downcase(:turkic)) # => "ı"
p("ﬀ".upcase) # => "FF"
p("Straße".casecmp?("STRASSE")) # => true
p("a".casecmp("B")) # => -1
p("a".casecmp(1)) # => nil
p("abc".unpack("C*")) # => [97, 98, 99]
p("abc".unpack1("@1a")) # => "b"
p("%05.1f|%-5s|%+d|%x|%o|%e|%b" % [3.14159, "ab", 5, 255, 8, 12345.678, 5]) # => "003.1|ab   |+5|ff|10|1.234568e+04|101"
p("%<a>d %{b}" % { a: 1, b: 2 }) # => "1 2"
p("%c%c" % [10004, "z"]) # => "✔z"
p("%%|%5s|%.2s" % ["é", "abc"]) # => "%|    é|ab"
p("a,b,,c,,".split(",")) # => ["a", "b", "", "c"]
p("a,b,,c,,".split(",", -1)) # => ["a", "b", "", "c", "", ""]
p("a b  c".split) # => ["a", "b", "c"]
p(" a b ".split(" ")) # => ["a", "b"]
p("abc".split("")) # => ["a", "b", "c"]
p("a1b2".split(/(\d)/)) # => ["a", "1", "b", "2"]
p("a,b".split(",", 1)) # => ["a,b"]
p("".split(",")) # => []
p("hello"[1..]) # => "ello"
p("hello"[-3, 2]) # => "ll"
p("hello"[/l(l)(o)/, 2]) # => "o"
p("hello"["ell"]) # => "ell"
p("hello"[9]) # => nil
p("hello"[5]) # => nil
p("hello"[5, 1]) # => ""
p("hello"[6, 1]) # => nil
p("hello"[..-2]) # => "hell"
p("hello"[1...-1]) # => "ell"
p("hello"[(1..)]) # => "ello"
p("hello"[0, 0]) # => ""
p("hello".index("l")) # => 2
p("hello".index("l", 3)) # => 3
p("hello".rindex("l")) # => 3
p("hello".byteindex("l")) # => 2
p("héllo".byterindex("l")) # => 4
p("hello".index(/l+/)) # => 2
p("hello".index("z")) # => nil
p("hello".index("", 5)) # => 5
p("hello".index("", 6)) # => nil
p("hello".partition("l")) # => ["he", "l", "lo"]
p("hello".rpartition("l")) # => ["hel", "l", "o"]
p("hello".partition(/z/)) # => ["hello", "", ""]
p("hello".partition("z")) # => ["hello", "", ""]
p("hello".rpartition(/l/)) # => ["hel", "l", "o"]
p("a-b".partition("-")) # => ["a", "-", "b"]
p("hello".tr("a-y", "b-z")) # => "ifmmp"
p("hello".tr("^l", "*")) # => "**ll*"
p("hello".tr("el", "ip")) # => "hippo"
p("he-llo".tr("a\\-z", "x")) # => "hexllo"
p("hello".delete("l-o")) # => "he"
p("aabbcc".squeeze("a-b")) # => "abcc"
p("hello".count("lo")) # => 3
p("hello".count("a-z", "^l")) # => 3
p("hello".tr("lo", "")) # => "he"
p("ab\ncd\n".lines) # => ["ab\n", "cd\n"]
p("ab\ncd".each_line(chomp: true).to_a) # => ["ab", "cd"]
p("a\n\n\nb\n".each_line("").to_a) # => ["a\n\n", "b\n"]
p("axbxc".each_line("x").to_a) # => ["ax", "bx", "c"]
p("ab".each_char.to_a) # => ["a", "b"]
p("é".each_byte.to_a) # => [195, 169]
p("é".codepoints) # => [233]
p("ab".bytes.sum) # => 195
p("a\r\nb".lines(chomp: true)) # => ["a", "b"]
p("abc".ljust(6, "12")) # => "abc121"
p("abc".rjust(7, "12")) # => "1212abc"
p("abc".center(8, "12")) # => "12abc121"
p("abc" * 0) # => ""
p("abc" + "d") # => "abcd"
p("abc" <=> "abd") # => -1
p("a" <=> 1) # => nil
p("abc" == :abc) # => false
p("abc".eql?("abc")) # => true
p("abc" =~ /c/) # => 2
p("abc".match?(/z/)) # => false
p("abc".match(/(?<x>b)/)[:x]) # => "b"
p("0x1A".hex) # => 26
p("0b11".to_i(0)) # => 3
p("12abc".to_i) # => 12
p("z".to_i(36)) # => 35
p("1e3".to_f) # => 1000.0
p(".5".to_f) # => 0.5
p("1_000".to_i) # => 1000
p("0o17".oct) # => 15
p("789".oct) # => 7
p("1/3".to_r) # => (1/3)
p("1+2i".to_c) # => (1+2i)
p("abc".to_sym) # => :abc
p("12".to_c) # => (12+0i)
p("  12  ".to_i) # => 12
p("-".to_i) # => 0
p("1__2".to_i) # => 1
p("abc".sum) # => 294
p("abc".hash == "abc".hash) # => true
p("abc".ord) # => 97
p("a".upto("e").to_a) # => ["a", "b", "c", "d", "e"]
p("9".upto("11").to_a) # => ["9", "10", "11"]
p("a".between?("a", "b")) # => true
p("abc".start_with?("a", "x")) # => true
p("abc".start_with?(/b/)) # => false
p("abc".end_with?("bc", "z")) # => true
p("abc".include?("b")) # => true
p("abc".insert(-1, "d")) # => "abcd"
p("hello world".scan(/o/)) # => ["o", "o"]
p("hello".scan(/(l)(.)/)) # => [["l", "l"]]
p("abc".gsub(/b/, "b" => "X")) # => "aXc"
p("abc".gsub(/./) { |c| c.ord.to_s }) # => "979899"
p("abc".gsub("b", '<\0>')) # => "a<b>c"
p("abc".gsub(/(?<n>b)/, '[\k<n>]')) # => "a[b]c"
p("abc".gsub(/[ac]/).with_index.map { |c, i| "#{c}#{i}" }) # => ["a0", "c1"]
p("path".sub("a", "\\\\")) # => "p\\th"
p("é".encoding) # => #<Encoding:UTF-8>
p("é".b) # => "\xC3\xA9"
p("é".valid_encoding?) # => true
p("\xff".valid_encoding?) # => false
p("\xffa".scrub("?")) # => "?a"
p("a\xff".scrub { |b| b.unpack1("H*") }) # => "aff"
p("é".unicode_normalize(:nfd).size) # => 2
p("é".unicode_normalized?) # => true
p("é".encode("ISO-8859-1").bytes) # => [233]
p("é".ascii_only?) # => false
p("a".force_encoding("UTF-16LE").valid_encoding?) # => false
p(("é" + "\xff".b rescue $!.message)) # => "incompatible character encodings: UTF-8 and BINARY (ASCII-8BIT)"
p(("é".encode("US-ASCII") rescue $!.message)) # => "U+00E9 from UTF-8 to US-ASCII"
p("é".encode("US-ASCII", undef: :replace)) # => "?"
p("é".encode("US-ASCII", fallback: { "é" => "e" })) # => "e"
p("<é>".encode("US-ASCII", xml: :text)) # => "&lt;&#xE9;&gt;"
p("a\nb".encode(crlf_newline: true)) # => "a\r\nb"
p(("\xff".encode("UTF-16LE") rescue $!.message)) # => "\"\\xFF\" on UTF-8"
p("abc".inspect) # => "\"abc\""
p("a\"b\\\#{x}\e\u200b\x00é".inspect) # => "\"a\\\"b\\\\\\\#{x}\\e​\\u0000é\""
p('a#b#$c#@d'.inspect) # => "\"a#b\\\#$c\\\#@d\""
p("\xE9".inspect) # => "\"\\xE9\""
p("é".dump) # => "\"\\u00E9\""
p("é\n".dump.undump) # => "é\n"
p("\u{1F600}".inspect) # => "\"😀\""
p("é".encode("UTF-16LE").inspect) # => "\"\\u00E9\""
p(:"a b".inspect) # => ":\"a b\""
p(:"a=".inspect) # => ":a="
p(:"[]=".inspect) # => ":[]="
p(:"9".inspect) # => ":\"9\""
p("---abc+++".strip("-+")) # => "abc"
p("あああabcいいい".strip("あい")) # => "abc"
p("01234abc56789".strip("0-9", "^4-6")) # => "4abc56"
p("--a--".lstrip("-")) # => "a--"
p("--a--".rstrip("-")) # => "--a"
p("----".rstrip("-")) # => ""
p("abc".strip!("-")) # => nil
p("abc".strip("")) # => "abc"
