# Small methods that are inlined have no frame until somebody looks: one that raises, overflows, meets other operands or other classes than
# before, or lets its frame be captured.
class Point
  attr_reader :x, :y
  attr_accessor :tag

  def initialize(x, y)
    @x = x
    @y = y
  end

  def at(list, i) = list[i]
  def both(list, i) = at(list, i) + @x
  def +(other) = Point.new(@x + other.x, @y + other.y)
  def <(other) = @x < other.x
  def scaled(by = 2) = @x * by
  def tag!(v)
    @tag = v
    self
  end
  def put(list, i, v)
    list[i] = v
    i
  end
  def odd(a)
    b = a + 1
    c = b * 2
    c - @y
  end
  def name = NAME
  def same(other) = @x == other
  def turned(a) = -@x
end
NAME = :point

def sums(point, list, n)
  sum = 0
  n.times { |i| sum += point.both(list, i % list.size) }
  sum
end

def loops(n)
  point = Point.new(1, 2)
  i = 0
  while i < n
    point += Point.new(1, 0)
    i += 1 if point < point + point
    point.tag!(i)
  end
  [point.x, point.y, point.tag]
end

list = (1..10).to_a
p sums(Point.new(1, 2), list, 5000), loops(3000) # => 32500
# => [3001, 2, 3000]

# Other operands than before, in the middle of a method within a method.
p sums(Point.new(0.5, 2), list, 10), sums(Point.new(1, 2), [1.5], 2), sums(Point.new(2**70, 0), [1, 2], 2) # => 60.0
# => 5.0
# => 2361183241434822606851
strings = Point.new("b", nil)
p strings.both(["a"], 0) # => "ab"
begin
  sums(Point.new(1, 2), [nil], 1)
rescue NoMethodError => e
  p e.message, e.backtrace_locations.first(3).map { |l| [l.lineno, l.label] } # => "undefined method '+' for nil"
  # => [[13, "Point#both"], [38, "block in Object#sums"], [38, "Integer#times"]]
end

# What raises has its frame, and its locals keep what they were.
def puts_to(list, n)
  point = Point.new(0, 0)
  last = nil
  n.times { |i| last = point.put(list, i % 3, i) }
  last
end
p puts_to([1, 2, 3], 5000) # => 1
begin
  puts_to([1, 2, 3].freeze, 1)
rescue FrozenError => e
  p e.message, e.backtrace_locations.first.lineno # => "can't modify frozen Array: [1, 2, 3]"
  # => 22
end

def odds(point, n, a = 3)
  i = sum = 0
  while i < n
    sum += point.odd(a)
    i += 1
  end
  sum
end
p odds(Point.new(0, 1), 5000), odds(Point.new(0, 1), 2, 2**61), odds(Point.new(0, 1.5), 2) # => 35000
# => 9223372036854775810
# => 13.0

# Objects with other shapes, and other classes.
class Tagged < Point
  def initialize(x, y)
    @tag = 1
    super
  end
end
class Other
  def initialize(x) = @x = x
  def both(list, i) = [list, i, @x]
  def same(_) = :other
end
p sums(Tagged.new(1, 2), list, 100), sums(Point.new(1, 2), list, 100) # => 650
# => 650
def sames(objects, n) = n.times.map { |i| objects[i % objects.size].same(1) }.tally
p sames([Point.new(1, 2)], 3000), sames([Point.new(1, 2), Tagged.new(2, 2), Other.new(1)], 6) # => {true => 3000}
# => {true => 2, false => 2, other: 2}

# Optional arguments, constants, redefinitions.
def scales(point, n) = n.times.sum { point.scaled + point.scaled(3) }
p scales(Point.new(2, 0), 3000), scales(Point.new(0.5, 0), 2) # => 30000
# => 5.0
def names(point, n) = n.times.map { point.name }.uniq
p names(Point.new(2, 0), 3000) # => [:point]
Object.send(:remove_const, :NAME)
NAME = :renamed
p names(Point.new(2, 0), 2) # => [:renamed]
class Point
  def at(list, i) = 100
end
p sums(Point.new(1, 2), list, 10) # => 1010

# An operator that is another name of `binding` captures the frame that it was called from.
class Catch
  alias -@ binding
  public :-@
end
def caught(point, other, n)
  found = nil
  n.times { |i| found = point.turned([other, i]) }
  found
end
p caught(Point.new(1, 2), 1, 3000) # => -1
found = caught(Point.new(Catch.new, 2), 1, 2)
GC.start
p found.local_variables, found.local_variable_get(:a), found.receiver.y # => [:a]
# => [1, 1]
# => 2

# Deep in recursion, and at the end of the stacks of fibers, which grow piece by piece.
def deep(point, list, n) = n == 0 ? point.both(list, 0) : deep(point, list, n - 1) + point.both(list, 1)
class Point
  def at(list, i) = list[i]
end
p deep(Point.new(1, 2), list, 500) # => 1502
p 20.times.map { |i| Fiber.new { deep(Point.new(1, i.odd? ? 2 : nil), list, 50 + i) }.resume }.sum # => 3610
p 20.times.map { |i| Fiber.new { deep(Point.new(i.odd? ? 1 : 1.0, 2), list, 50 + i) }.resume }.sum # => 3610.0
def endless(point, list) = endless(point, list) + point.both(list, 0)
begin
  endless(Point.new(1, 2), list)
rescue SystemStackError => e
  p e.class # => SystemStackError
end

# Several threads, one of which brings other operands.
results = 4.times.map do |t|
  Thread.new { 200.times.map { |i| sums(Point.new(t == 3 && i == 150 ? 1.0 : 1, 2), list, 20) }.tally }
end
p results.map(&:value) # => [{130 => 200}, {130 => 200}, {130 => 200}, {130 => 199, 130.0 => 1}]
