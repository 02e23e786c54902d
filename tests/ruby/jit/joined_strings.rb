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
