# Places that have met objects of several shapes before they are compiled: read and written where they lie, until they are frozen,
# others', or of yet another shape; and calls with several receivers.

class Part
  attr_accessor :size, :next_part

  def initialize
    @size = 1
    @next_part = nil
  end

  def grow(by) = @size += by
  def twice = @size * 2
end

class Wheel < Part
  def initialize
    super
    @spokes = 12
  end

  def kind = :wheel
end

class Door < Part
  def initialize
    @open = false
    super
  end

  def kind = :door
end

class Seat < Part
  def initialize
    @a = @b = @c = @d = @e = @f = @g = 0
    super
  end

  def kind = :seat
end

def use(part, n)
  part.grow(n)
  part.next_part = n if part.size.odd?
  [part.kind, part.twice]
end

parts = [Wheel.new, Door.new, Seat.new]
last = nil
20_000.times { |n| last = use(parts[n % 3], n & 1) }
puts last.inspect
# => [:door, 6670]
puts parts.map { |part| [part.size, part.next_part] }.inspect
# => [[3334, 0], [3335, 1], [3334, 0]]

# Frozen, with one variable more, with another shape, without the variable, and what is no plain object.
parts[1].freeze
begin
  use(parts[1], 1)
rescue FrozenError => e
  puts e.message[/\A.* #<Door/]
end
# => can't modify frozen Door: #<Door
parts[0].instance_variable_set(:@more, 1)
puts use(parts[0], 4).inspect
# => [:wheel, 6676]
class Lid < Part
  def kind = :lid
end
puts use(Lid.new, 2).inspect
# => [:lid, 6]
part = Lid.new
part.remove_instance_variable(:@size)
begin
  use(part, 1)
rescue NoMethodError => e
  puts e.message[/undefined method '.'/]
end
# => undefined method '+'
class Label < String
  attr_accessor :size, :next_part

  def grow(by) = @size = by
  def twice = @size * 2
  def kind = :label
end
puts use(Label.new("x"), 3).inspect
# => [:label, 6]

# Methods that are redefined, while another thread calls them.
parts = [Wheel.new, Door.new, Seat.new, Lid.new]
thread = Thread.new { 30_000.times.map { |n| use(parts[n % 4], 0) }.tally.keys }
class Door
  def kind = :gate
end
done = thread.value
puts (done - [[:wheel, 2], [:door, 2], [:gate, 2], [:seat, 2], [:lid, 2]]).inspect
# => []
puts use(parts[1], 0).inspect
# => [:gate, 2]

# Arrays that grow where they lie, in stores, frozen, with references, and with a class of their own.
def add(list, v)
  list << v
  list.size
end

list = []
20_000.times { |n| add(list, n) }
puts list.sum, add(list, "text"), list.last
# => 199990000
# => 20001
# => text
short = 30.times.map { |n| [].tap { |l| (n % 15).times { |i| add(l, i.even? ? i : i.to_s) } } }
GC.start
puts short[14].inspect, short.sum(&:size)
# => [0, "1", 2, "3", 4, "5", 6, "7", 8, "9", 10, "11", 12, "13"]
# => 210
taken = [1, 2, 3, 4]
taken.shift
add(taken, 5)
puts taken.inspect
# => [2, 3, 4, 5]
begin
  add([1].freeze, 2)
rescue FrozenError => e
  puts e.message
end
# => can't modify frozen Array: [1]
loud = [1]
def loud.<<(v) = push(v, v)
puts add(loud, 2)
# => 3
puts add(+"text", "x"), add(Class.new(Array).new, 1)
# => 5
# => 1

# A method that is its beginning alone, of variables that objects of several shapes have: where they lie, or not at all.
class Flags
  def initialize(up, low, mark)
    @up = up
    @low = low
    @mark = mark
  end

  def ready? = @up || (!@low && @mark)
  def note(v) = @mark = v
end

FLAGS = 6.times.map do |n|
  Class.new(Flags) { define_method(:initialize) { |*args| super(*args); n.times { |i| instance_variable_set("@own#{i}", i) } } }
end

def ready(flags) = flags.ready?
def note(flags, v) = flags.note(v)

all = FLAGS.flat_map { |kind| [kind.new(true, true, 1), kind.new(nil, false, 2), kind.new(false, 3, 4), kind.new(nil, nil, nil)] }
2000.times { all.each { |flags| ready(flags) } }
p all.map { |flags| ready(flags) } == [true, 2, false, nil] * 6 # => true
4000.times { |n| note(all[n % 24], n) }
p all.map { |flags| ready(flags) }.each_slice(4).map(&:first).uniq # => [true]
p ready(all[1]), ready(all[3]), ready(all[21]) # => 3985
# => 3987
# => 3981
begin
  note(all[9].freeze, 0)
rescue FrozenError => e
  p e.message[0, 27] # => "can't modify frozen #<Class"
end
all[13].remove_instance_variable(:@mark)
p ready(all[13]), ready(all[14]) # => nil
# => false
class Words < Array
  def ready? = @up || (!@low && @mark)
  attr_writer :mark
end
words = Words.new
words.mark = :m
p ready(words), ready(all[1]) # => :m
# => 3985
threads = 3.times.map { |n| Thread.new { 300.times { |i| all.each { |flags| note(flags, n) unless flags.frozen? } } } }
threads.each(&:join)
p all.map { |flags| flags.frozen? ? 0 : note(flags, 7) }.uniq # => [7, 0]
