# args: --jit=always
# Interpolation in compiled code: encodings, coderanges, long parts, Strings that another thread changes.
def two(a, b) = "#{a}#{b}"
def words(a, b) = "<#{a} & #{b}>"
def check(s) = [s, s.encoding, s.valid_encoding?, s.ascii_only?, s.bytesize]

ascii = "abc".encode("US-ASCII")
binary = "\xff\xfe".b
wide = "añb"
euc = "abc".encode("EUC-JP")
(GC.stress ? 20 : 300).times do |i|
  raise "number" unless words(i, i + 1) == "<" + i.to_s + " & " + (i + 1).to_s + ">"
  raise "wide" unless two(wide, i).encoding == Encoding::UTF_8
end
p check(two("a", "b"))
# => ["ab", #<Encoding:UTF-8>, true, true, 2]
p check(two(1, 2))
# => ["12", #<Encoding:US-ASCII>, true, true, 2]
p check(two(ascii, wide))
# => ["abcañb", #<Encoding:UTF-8>, true, false, 7]
p check(two(ascii, binary))
# => ["abc\xFF\xFE", #<Encoding:BINARY (ASCII-8BIT)>, true, false, 5]
p check(two("x", binary))
# => ["x\xFF\xFE", #<Encoding:BINARY (ASCII-8BIT)>, true, false, 3]
p check(two("", ascii))
# => ["abc", #<Encoding:UTF-8>, true, true, 3]
p check(two(ascii, ""))
# => ["abc", #<Encoding:UTF-8>, true, true, 3]
p check(two(euc, "x"))
# => ["abcx", #<Encoding:EUC-JP>, true, true, 4]
begin
  two(wide, binary)
rescue Encoding::CompatibilityError => e
  puts e.message
end
# => incompatible character encodings: UTF-8 and BINARY (ASCII-8BIT)
# Halves of a character make a whole one.
p check(two("\xc3", "\xb1"))
# => ["ñ", #<Encoding:UTF-8>, true, false, 2]
p words("x" * 100_000, "y" * 300_000).bytesize
# => 400005
class Own
  def to_s = "own"
end
p two(Own.new, :sym), two(nil, 1.5)
# => "ownsym"
# => "1.5"

shared = +"aaaaaaaa"
over = false
writer = Thread.new do
  i = 0
  until over
    shared.replace((i.odd? ? "a" : "b") * (i % 40))
    i += 1
  end
end
odd = 0
(GC.stress ? 50 : 2000).times { |i| s = words(shared, i); odd += 1 unless s.match?(/\A<(a*|b*) & #{i}>\z/) }
over = true
writer.join
p odd
# => 0

# Numbers and Symbols are put in without Strings of their own.
def shown(a, b, c) = "#{a}|#{b}#{c}"
strange = :"ñ"
latin = "\xf1".dup.force_encoding("ISO-8859-1").to_sym
20.times do |i|
  raise "numbers" unless shown(i, -i, 4611686018427387904 - i) == [i, "|", -i, 4611686018427387904 - i].join
  raise "long" unless shown("x" * 150, :symbol, i * 10**15) == "x" * 150 + "|symbol" + (i * 10**15).to_s
  raise "regexp" unless /a#{i}#{:b}/.source == "a" + i.to_s + "b"
  raise "symbol" unless :"a#{i}#{:b}" == ("a" + i.to_s + "b").to_sym
end
p check(shown(-4611686018427387904, :"a b", 4611686018427387903))
# => ["-4611686018427387904|a b4611686018427387903", #<Encoding:UTF-8>, true, true, 43]
p check(two(:a, 1)), check(two(strange, 1)), check(two(1, latin)), check(two(binary, :a)), check(two(:a, euc))
# => ["a1", #<Encoding:US-ASCII>, true, true, 2]
# => ["ñ1", #<Encoding:UTF-8>, true, false, 3]
# => ["1\xF1", #<Encoding:ISO-8859-1>, true, false, 2]
# => ["\xFF\xFEa", #<Encoding:BINARY (ASCII-8BIT)>, true, false, 3]
# => ["aabc", #<Encoding:EUC-JP>, true, true, 4]
one = 1
p check("#{one}"), "#{Comparable}#{File::Stat}#{Class.new.to_s.class}"
# => ["1", #<Encoding:UTF-8>, true, true, 1]
# => "ComparableFile::StatString"
begin
  two(strange, latin)
rescue EncodingError => error
  puts error.message
end
# => incompatible character encodings: UTF-8 and ISO-8859-1
class Symbol
  def to_s = "redefined"
end
p shown(:a, 1, :b) # => "redefined|1redefined"
class Integer
  def to_s(*) = "n"
end
p shown(:a, 1, 2) # => "redefined|nn"
