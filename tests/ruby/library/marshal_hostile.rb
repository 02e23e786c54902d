# Marshal.load of damaged bytes and of deep nesting raises or gives something; it never ends the process.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

class Pair
  attr_accessor :a, :b
  def initialize(a, b) = (@a, @b = a, b)
end
Point = Struct.new(:x, :y)
# Every byte of a dump, one bit at a time, changed.
data = Marshal.dump([Pair.new(1, "é"), { a: [1.5, 2**70, :b] }, /x/, Point.new(1, 2), 1..2, RuntimeError.new("m"), Time.at(0).utc])
count = 0
data.bytesize.times do |i|
  damaged = data.dup
  damaged.setbyte(i, damaged.getbyte(i) ^ (1 << (i % 8)))
  begin
    Marshal.load(damaged)
  rescue StandardError, SystemStackError, NoMemoryError
    count += 1
  end
end
t { count > 50 } # => true
t { begin; Marshal.load("\x04\x08" + "I" * 300_000 + "0"); rescue SystemStackError => e; e.class; end } # => SystemStackError
# Without a collection at each of some ten thousand levels: each would scan all of the stack below it.
stress, GC.stress = GC.stress, false
t { begin; Marshal.load("\x04\x08" + "C:\x0bString" + "C;\x00" * 300_000 + "[\x00"); rescue SystemStackError => e; e.class; end } # => SystemStackError
GC.stress = stress

# Numbers that cannot be, and names that nobody knows.
def given(bytes) = Marshal.load("\x04\x08#{bytes}".b)
t { given("[\xE4".b) } # => ArgumentError: negative length
t { given("{\xE4".b) } # => ArgumentError: negative length
t { given("\"\xE4".b) } # => ArgumentError: negative string size (or size too big)
t { given("o:\x0BObject\xE4".b).class } # => Object
t { given("C:\x0BStringx") } # => ArgumentError: dump format error(0x78)
t { given("C:\x0BString0") } # => ArgumentError: dump format error (user class)
t { s = given("I\"\x06a\x06:\rencoding\"\x08xyz"); [s, s.encoding, s.instance_variables] } # => ["a", #<Encoding:BINARY (ASCII-8BIT)>, []]
t { given("Ic\x0BString\x06:\x08@iv0") } # => TypeError: can't override instance variable of class 'String'
t { given("Im\x0FComparable\x06:\x08@iv0") } # => TypeError: can't override instance variable of module 'Comparable'
t { given("[\x07c\x0BStringI@\x06\x06:\x08@iv0") } # => TypeError: can't override instance variable of class 'String'
t { given("I/\x05\x00\x06:\x06E{\x06@\x05T") } # => ArgumentError: dump format error (bad link)
t { given("@\x06") } # => ArgumentError: dump format error (unlinked)
Nothing = 1
t { given("o:\x0CNothing\x00") } # => TypeError: Nothing does not refer to class/module
