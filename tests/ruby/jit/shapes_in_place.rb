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
