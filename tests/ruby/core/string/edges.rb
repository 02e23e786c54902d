# String: empty and broken receivers, encodings of arguments, the order in which arguments are looked at.
def t
  yield
rescue StandardError => e
  e.class
end

# Methods that look at nothing when there is nothing to change.
p t { ''.dup.delete! }
# => nil
p t { ''.delete }
# => ""
p t { ''.delete("c-a") }
# => ""
p t { ''.count }
# => ArgumentError
p t { ''.count("c-a") }
# => ArgumentError
p t { ''.tr("c-a", "d") }
# => ""
p t { ''.tr_s("c-a", "d") }
# => ""
p t { ''.tr(1, 2) }
# => TypeError
p t { ''.dup.chomp!(-5) }
# => nil
p t { ''.chomp(-5) }
# => TypeError
p t { ''.lines(5) }
# => []
p t { ''.lines("x", chomp: 3) }
# => []
p t { "é".split(5, 1) }
# => ["é"]
p t { "\xff".split("\xff", 1) }
# => ["\xFF"]
p t { "\xff".split("é".encode("ISO-8859-1"), 2) }
# => ArgumentError
# A String to look for is looked for in a broken one too.
p t { "a\xff".sub("a") { |m| m * 2 + $~.begin(0).to_s } }
# => "aa0\xFF"
p t { "a\xffa".gsub("a") { |m| m * 2 + $~.begin(0).to_s } }
# => "aa0\xFFaa2"
p t { "a\xffa".gsub("a", "a" => "c") }
# => "c\xFFc"
p t { "a\xff".dup.sub!("x") { "b" } }
# => nil
p t { "a\xff".dup.gsub!("x") { "b" } }
# => nil
p t { "a\xff".gsub(/a/) { "b" } }
# => ArgumentError
p t { "ab".encode("UTF-16LE").gsub('') { "x".encode("UTF-16LE") }.encode("UTF-8") }
# => "xaxbx"
p t { "ab".encode("UTF-16LE").sub("a".encode("UTF-16LE")) { "x".encode("UTF-16LE") }.encode("UTF-8") }
# => "xb"
# What replaces all of a String decides about the encoding.
p t { '12'.gsub('12', 'ab'.encode('UTF-16LE')).encoding }
# => #<Encoding:UTF-16LE>
p t { '12'.gsub('1', 'ab'.encode('UTF-16LE')) }
# => Encoding::CompatibilityError
p t { 'aé'.encode('ISO-8859-1').sub('é'.encode('ISO-8859-1'), '→') }
# => "a→"
p t { 'aéé'.encode('ISO-8859-1').sub('é'.encode('ISO-8859-1'), '→') }
# => Encoding::CompatibilityError
# Only what is at an end must be a character.
p t { "a\xffb ".strip }
# => "a\xFFb"
p t { "\xff b ".rstrip }
# => "\xFF b"
p t { "a\xff ".rstrip }
# => Encoding::CompatibilityError
p t { " \xff b".lstrip }
# => ArgumentError
p t { " \xff b".strip }
# => ArgumentError
p t { " a\xff".lstrip }
# => "a\xFF"
p t { "a\xff".each_codepoint.first(1) }
# => [97]
p t { "a\xff".each_codepoint.to_a }
# => ArgumentError
# Encodings of arguments.
p t { '12'.count("\xE3\x81".b, 'abc') }
# => 0
p t { '12'.delete("\xE3\x81".b * 5, '') }
# => "12"
p t { 'é'.count("\xE3\x81".b * 5, '') }
# => Encoding::CompatibilityError
p t { "abc".tr!("\xE3".b, "é") }
# => Encoding::CompatibilityError
p t { "123".tr_s("x", "é".encode("EUC-JP")).encoding }
# => #<Encoding:EUC-JP>
p t { "éa".chomp("éa".encode("UTF-16LE")) }
# => "éa"
p t { "éaüü".chomp("ü".encode("ISO-8859-1")) }
# => Encoding::CompatibilityError
p t { "ab".encode("UTF-16LE").chomp("abc") }
# => Encoding::CompatibilityError
p t { "ab".encode("UTF-16LE").chomp("\n").encode("UTF-8") }
# => "ab"
p t { "ab".encode("UTF-16LE").upto("3") { } }
# => Encoding::CompatibilityError
p t { '日本'.encode('EUC-JP').unicode_normalize(:x) }
# => Encoding::CompatibilityError
p t { 'abc'.unicode_normalize(:x) }
# => ArgumentError
p t { 'abc'.force_encoding("US-ASCII").unicode_normalize(:x) }
# => "abc"
p t { "abc".encode("\t\0") }
# => ArgumentError
p t { ["a", "b"].join('ab'.encode('UTF-16LE')) }
# => Encoding::CompatibilityError
p t { ["a", "é".encode("UTF-16LE")].join }
# => Encoding::CompatibilityError
p t { [].join(0) }
# => ""
# Replacing a part: what is replaced is looked for before the replacement is converted.
p t { s = +'abc'; s['x'] = nil }
# => IndexError
p t { s = +'abc'; s[/x/] = nil }
# => IndexError
p t { s = +'abc'; s[/b/, 1] = nil }
# => IndexError
p t { s = +'abc'; s['b'] = nil }
# => TypeError
p t { s = +'abc'; s[Float::INFINITY, {}] = 'x' }
# => TypeError
p t { "3".dup.setbyte(99, Object.new) }
# => IndexError
class Text; def initialize(s) = @s = s; def to_str = @s; end
p t { "b" <=> Text.new("a") }
# => 1
p t { "b" <=> Text.new(1) }
# => TypeError
# Letters of ISO-8859 and Windows encodings; other characters of several bytes are none.
p t { "a\xE9".dup.force_encoding("ISO-8859-1").succ.bytes }
# => [97, 234]
p t { "z\xDF".dup.force_encoding("ISO-8859-1").succ.bytes }
# => [122, 224]
p t { "a\xD7".dup.force_encoding("ISO-8859-1").succ.bytes }
# => [98, 215]
p t { "\xFF".dup.force_encoding("ISO-8859-1").succ.bytes }
# => [248, 248]
p t { "aд".encode("Windows-1251").succ.bytes }
# => [97, 229]
p t { "aд".encode("KOI8-R").succ.bytes }
# => [97, 197]
p t { "aé".encode("IBM437").succ.bytes }
# => [98, 130]
p t { "a日本".encode("EUC-JP").succ.bytes }
# => [98, 198, 252, 203, 220]
p t { "日本".encode("EUC-JP").succ.bytes }
# => [198, 252, 203, 221]
p t { "a日本".encode("Shift_JIS").succ.bytes }
# => [98, 147, 250, 150, 123]
p t { '-0x1f'.to_f }
# => -31.0
p t { '+0x1.8p1x'.to_f }
# => 3.0
p t { '-0x'.to_f }
# => 0.0
p t { '0x1f'.to_f }
# => 0.0
p t { Integer(" 12 ", -1) }
# => 12
p t { Integer("012", -1) }
# => 10
p t { Integer("0x12", -1) }
# => 18
p t { Integer("12", -3) }
# => 5
# A character that is translated to itself counts as changed.
p "abc".dup.tr!("a", "a")
# => "abc"
p "abc".dup.tr!("x", "x")
# => nil
p "aébc".dup.tr_s!("é", "é")
# => "aébc"
