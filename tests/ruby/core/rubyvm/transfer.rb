# What can travel from VM to VM, and how.

CH = RubyVM::Channel.new
def copy(object)
  CH << object
  CH.recv
end

p copy([nil, true, 1, 2**80, 1.5, :sym, "s", 1..2, (1...), 3r, 2i, 1.5e300]) # => [nil, true, 1, 1208925819614629174706176, 1.5, :sym, "s", 1..2, 1..., (3/1), (0+2i), 1.5e+300]
p copy(2**80), copy(-1.5e300) # => 1208925819614629174706176
# => -1.5e+300
p copy(/a.b/mi) # => /a.b/mi
p copy(String) # => String
p copy("é".encode("ISO-8859-1")).encoding # => #<Encoding:ISO-8859-1>
p copy("frozen".freeze).frozen? # => true
p copy([1].freeze).frozen? # => true

# Identity and cycles are kept.
a = []
a << a << "x"
b = copy([a, a])
p b[0].equal?(b[1]), b[0][0].equal?(b[0]) # => true
# => true

class Point
  attr_accessor :x, :y
  def initialize(x, y) = (@x, @y = x, y)
end
q = copy({ [1, 2] => Point.new(1, { "deep" => [Point.new(2, 3)] }) })
p q[[1, 2]].y["deep"][0].y # => 3

Pair = Struct.new(:left, :right)
p copy(Pair.new(1, [Pair.new(2, 3)])) # => #<struct Pair left=1, right=[#<struct Pair left=2, right=3>]>
Size = Data.define(:w, :h)
p copy(Size.new(w: 1, h: 2)) # => #<data Size w=1, h=2>

h = Hash.new(7)
p copy(h)[:missing] # => 7
h = {}.compare_by_identity
h["a"] = 1
p copy(h).compare_by_identity? # => true
p copy(Set[1, 2]) == Set[1, 2] # => true

s = +"with ivar"
s.instance_variable_set(:@note, [1])
p copy(s).instance_variable_get(:@note) # => [1]

class Own < String; end
p copy(Own.new("own")).class # => Own

# Long strings are shared until one of them changes.
big = "x" * 100_000
other = copy(big)
other << "y"
big[0] = "z"
p other.size, big.size, other[0], big[0] # => 100001
# => 100000
# => "x"
# => "z"

# So are long arrays that never held a reference.
numbers = Array.new(1000) { |i| i }
other = copy(numbers)
other[0] = :first
numbers << 1000
third = copy(numbers)
numbers.pop
p other.size, other[0], other[999], numbers.size, numbers[0], third.size # => 1000
# => :first
# => 999
# => 1000
# => 0
# => 1001
other[1] = "a reference"
p copy(other)[0, 3] # => [:first, "a reference", 2]
p copy(numbers.freeze).frozen?, copy(numbers).sum, numbers.sum # => true
# => 499500
# => 499500
again = copy(copy(numbers).dup)
again.shift
again.unshift(-1, -2)
again.sort!
p again.first(3), numbers.first(3) # => [-2, -1, 1]
# => [0, 1, 2]
class Row < Array; end
p copy(Row.new(500, 1.5)).class, copy([numbers, numbers]).map(&:size) # => Row
# => [1000, 1000]
a, b = copy([numbers, numbers])
p a.equal?(b), a.frozen? # => true
# => true

# A class with a Marshal form of its own is asked for it.
class Secret
  def initialize(v) = @v = v
  def marshal_dump = [@v]
  def marshal_load(a) = @v = a[0] + 1
  def v = @v
end
p copy(Secret.new(1)).v # => 2

e = copy((raise ArgumentError, "msg" rescue $!))
p e, e.backtrace.size # => #<ArgumentError: msg>
# => 1

# Procs that refer to nothing around them.
p copy(proc { |x| x * 2 }).call(4) # => 8
p copy(->(x) { x + 1 }).lambda? # => true

# IO objects are moved.
r, w = IO.pipe
moved = copy(w)
p w.closed? # => true
moved << "through"
moved.close
p r.read # => "through"

# What can't travel is named, and nothing is sent.
def refused(object)
  CH << object
rescue TypeError => e
  puts e.message
end
refused([1, { sock: Thread.current }]) # => can't send message[1][:sock]: Thread can't leave its VM
refused(Point.new(1, [proc {}.binding])) # => can't send message.@y[0]: Binding can't leave its VM
begin
  CH << Class.new.new
rescue TypeError => e
  p e.message.include?("is of the anonymous class") # => true
end
refused(Hash.new { 1 }) # => can't send message: Hash has a default proc
v = 1
refused(proc { v }) # => can't send message: Proc accesses outer variables (v)
o = Object.new
def o.own = 1
refused(o) # => can't send message: Object has methods of its own
p CH.size # => 0

# Strings of all sizes: they go in the message, as a copy, or as a share of their bytes. Neither side sees what the other does.
sizes = [0, 1, 23, 24, 25, 45, 46, 47, 72, 73, 255, 256, 257, 1000, 1023, 1024, 1025, 5000]
p sizes.all? { |n|
  [false, true].all? do |frozen|
    s = "ü" * (n / 2) + "z" * (n % 2)
    s.freeze if frozen
    first = copy(s)
    second = copy(s)
    same = first == s && second == s && first.encoding == s.encoding && first.frozen? == frozen && first.valid_encoding?
    unless frozen
      first << "more"
      second[0, 1] = "Y" unless second.empty?
      s.replace("other")
      same &&= first == "ü" * (n / 2) + "z" * (n % 2) + "more" && (n == 0 || second.start_with?("Y"))
    end
    same
  end
} # => true

# What shares its bytes with another String of the same VM.
whole = "0123456789" * 60
part = whole[0, 500]
tail = whole[100..]
sent = [part, tail, whole, part].map { |s| copy(s) }
whole[0] = "x"
part.clear
p sent.map(&:size), sent.map { |s| s[0, 12] }, tail.size # => [500, 500, 600, 500]
# => ["012345678901", "012345678901", "012345678901", "012345678901"]
# => 500
p IO::Buffer.string(300) { |buffer| buffer.set_string("a" * 300) }.then { |s| copy(s) == s } # => true
lent = "q" * 300
seen = nil
IO::Buffer.for(lent) do |buffer|
  seen = copy(lent)
  buffer.set_string("changed")
end
p seen == "q" * 300, lent[0, 8] # => true
# => "changedq"

# Whether objects have a Marshal form of their own is known anew when a class has changed.
p copy("plain"), copy([1]) # => "plain"
# => [1]
class String
  def marshal_dump = [bytes]
  def marshal_load(list) = replace(list[0].reverse.pack("C*"))
end
p copy("plain") # => "nialp"
class String
  undef marshal_dump, marshal_load
end
p copy("plain") # => "plain"
class Array
  def _dump(level) = "dumped"
  def self._load(text) = [text]
end
p copy([1]) # => ["dumped"]
class Array
  undef _dump
end
p copy([1]) # => [1]
# parallel: no, a backtrace holds the frames of what loads the file
