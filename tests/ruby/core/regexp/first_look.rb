# Searches that end at the first look: anchors with what follows them, texts that every match contains, sets of bytes.
require "strscan"

p "foo\nbar" =~ /^bar/, "foo\nbar" =~ /\Abar/, "foo\nbar" =~ /^(?:b|z)ar/ # => 4
# => nil
# => 4
p "\n\nx" =~ /^$/, "a\n" =~ /^\z/, "a\n\nb".scan(/^$/).size # => 0
# => nil
# => 1
p "aé" =~ /\Aé/, "éa" =~ /\Aé/, "éa".match?(/\Aa/), "éa".match?(/^É/i) # => nil
# => 0
# => false
# => true
p "foo".match?(/\Afoo/, 1), "foofoo".match?(/\Gfoo/, 3), "foofoo".index(/\Goo/, 1) # => false
# => true
# => 1
p "STRASSE" =~ /\Aß/, "ssx" =~ /\Aß/i # => nil
# => 0
p "x  # y".match(/(\s*)# y/).begin(0), "x  # z".match(/(\s*)# y/) # => 1
# => nil
p "aab".match(/(a+?)\K(?:b)/)[0], "é-".match(/[[:alpha:]]-/)[0] # => "b"
# => "é-"
p ("." * 100 + "7").index(/[0-9]/), ("." * 100).index(/[0-9]/), ("-" * 67 + "\t").index(/\s/) # => 100
# => nil
# => 67
p ("é" * 50 + "_").index(/[a-z_A-Z]/), ("\xFE".b * 40 + "\xFF".b).index(/[\xFF]/n) # => 50
# => 40
p "ab\ncd".encode("UTF-16LE") =~ Regexp.new("^cd".encode("UTF-16LE")) # => 3

scanner = StringScanner.new("def foo(bar)")
p scanner.skip(/\d+/), scanner.scan(/\A[a-z]+/), scanner.scan(/\s/), scanner.check(/bar/), scanner.matched?, scanner.scan(/(f)o+/), scanner[1] # => nil
# => "def"
# => " "
# => nil
# => false
# => "foo"
# => "f"
p scanner.scan_until(/^x/), scanner.scan_until(/\(/), scanner.pos # => nil
# => "("
# => 8

# With a block: what matched is kept whatever becomes of the String, and without a match there is a new one.
class Text < String; end
s = "none"
t = s.gsub(/x/) { flunk }
p t, t.equal?(s), $~ # => "none"
# => false
# => nil
p Text.new("none").gsub(/x/) { 1 }.class, Text.new("none").sub("x") { 1 }.class, "é".encode("UTF-16LE").gsub("x".encode("UTF-16LE")) { 1 }.encoding # => String
# => String
# => #<Encoding:UTF-16LE>
p "abc".frozen? || "abc".gsub(/x/) { 1 }.frozen?, "abc".freeze.gsub(/x/) { 1 }.frozen? # => false
# => false
s = +"one two"
matches = []
s.scan(/\w+/) { matches << $~ }
s.replace("---")
p matches.map(&:to_s), matches.map(&:pre_match), s # => ["one", "two"]
# => ["", "one "]
# => "---"
p s.scan(/x/) { flunk }.equal?(s), $~ # => true
# => nil
s = +"a-b"
p s.gsub!(/x/) { 1 }, s.sub!(/x/) { 1 }, s.gsub!(/\w/) { |c| c * 2 }, s.sub!(/a+/) { "" }, s # => nil
# => nil
# => "-bb"
# => "-bb"
# => "-bb"

# Other threads change what is searched: what matched and the text of the match belong together.
shared = +"aaaa-1"
rounds = GC.stress ? 20 : 3000
done = false
writer = Thread.new { i = 0; shared.replace((i += 1).odd? ? "b-22222222222222222222222222" * 3 : "aaaa-1") until done }
wrong = []
rounds.times do
  shared.match(/(\w+)-(\d+)/) { |m| wrong << m.to_s unless m[1] == (m[2][0] == "1" ? "aaaa" : m[1][-1]) }
  found = shared.gsub(/-(\d)/) { "+#{$1}" }
  wrong << found unless found == "aaaa+1" || found == "b+22222222222222222222222222" * 3
  found = shared.gsub(/zz/) { "" }
  wrong << found unless found == "aaaa-1" || found == "b-22222222222222222222222222" * 3
end
done = true
writer.join
p wrong # => []

# What ends with the text is looked for at its end.
p "  a  b \n"[/\s+\z/], "12\n"[/\d+\Z/], "12\n"[/\d+\z/], "12\n\n"[/\d+\Z/], "1\n" =~ /\d*\Z/ # => " \n"
# => "12"
# => nil
# => nil
# => 0
p "\n" =~ /\d*\Z/, "a\n" =~ /\s+\Z/, "a\n" =~ /\s+?\Z/, "ab  ".sub(/\s{3,}\z/, "-"), "ab" =~ /\s*\z/ # => 0
# => 1
# => 1
# => "ab  "
# => 2
p "é\u3042c" =~ /.c\z/, "é\u3042\n" =~ /.\Z/, "xfoo.rb"[/\.rb\z/], "foo.rb\n"[/(.)(?:\.)rb\Z/, 1], "STRAÉ" =~ /é\z/i # => 1
# => 1
# => ".rb"
# => "o"
# => 4
p "1212".index(/\d+\z/, 2), "1212".rindex(/\d+\z/), "aab".scan(/a?b?\z/), "\xFF\xB1".b =~ /\xB1\z/n, "ab".index(/\Gb\z/, 1) # => 2
# => 3
# => ["ab", ""]
# => 1
# => 1
p ("1" * 20_000) =~ /\d+\z/, ("a" + "1" * 20_000) =~ /[0-9]+\Z/, ("1" * 20_000 + "a") =~ /\d+\z/ # => 0
# => 1
# => nil
# As many groups as a match has room for, and more.
p (1..8).map { |n| "abcdefgh".match("(.)" * n).to_a.last } # => ["a", "b", "c", "d", "e", "f", "g", "h"]
p (4..7).map { |n| m = "abcdefgh".match("(.)" * n).dup; GC.start; [m.size, m.end(n)] } # => [[5, 4], [6, 5], [7, 6], [8, 7]]

# A group sees itself as a way of its own that was given up left it, from that place on.
p "kxacaf".scan(/(\S.f|\k<-1>*+){1,2}?\S/).size, "kxacaf".index(/(\S.f|\k<-1>*+){1,2}?\S/, 3) # => 5
# => 4
p "acab".match(/(?:(ab)|(a))+\z/).to_a, "acab".match(/(?:(a)c|a)\1?b/).to_a # => ["ab", "ab", nil]
# => ["acab", "a"]

# Brackets without names around all of a look-behind, where others have names.
p "xb" =~ /(?<y>x)?(?<!(cB|b))b/, "xcb" =~ /(?<y>x)?(?<=((b|cb)))\z/, Regexp.new("(?<!(cB|b))") rescue p $!.message # => "invalid pattern in look-behind: /(?<!(cB|b))/"
