# args: --jit=always
# What compiled code calls without the interpreter's loop: natives with and without a frame, primitives, `new`, operators of
# objects, receivers of several classes at one place.

class Point
  attr_reader :x
  def initialize(x, y)
    raise ArgumentError, "no #{x}" if x == 13
    @x = x
    @y = y
  end

  def sum = @x + @y
end

class Circle
  def initialize(r) = @r = r
  def sum = @r
  attr_reader :r
end

class Same
  def initialize(n) = @n = n
  attr_reader :n
  def ==(other) = other.is_a?(Same) && n == other.n
  def [](i) = i * @n
  def []=(i, v)
    @n = i + v
  end
  def size = @n
  def empty? = @n == 0
  def nil? = @n == 1
  def ! = @n == 2
end

def points(n)
  total = 0
  i = 0
  while i < n
    total += Point.new(i, 1).sum
    i += 1
  end
  total
end
points(3)
puts points(12) # => 78
begin
  points(20)
rescue ArgumentError => e
  puts e.message # => no 13
  puts e.backtrace_locations.map(&:label).take(2).inspect # => ["Point#initialize", "Object#points"]
end

# `initialize` is replaced while `new` is compiled.
class Point
  def initialize(x, y)
    @x = x
    @y = 100
  end
end
puts points(3) # => 303
class Point
  def initialize(x, y, z = 7)
    @x = z
    @y = z
  end
end
puts points(3) # => 42

# Receivers of several classes.
def sums(list)
  total = 0
  for shape in list
    total += shape.sum
  end
  total
end
shapes = [Circle.new(1), Point.new(1, 2), Circle.new(3), [4, 5], 1..3, Struct.new(:sum).new(2)]
10.times { sums(shapes) }
puts sums(shapes) # => 35
class Circle
  def sum = 1000
end
puts sums(shapes) # => 2031
def shapes.each = yield(Circle.new(2))
puts sums(shapes) # => 1000

# Operators that are methods of the program's own, and those of the core.
def compare(a, b)
  r = []
  r << 1 if a == b
  r << 2 if a != b
  r << 3 if a.nil?
  negated = !a
  r << 4 if negated
  r << (a == b)
  r
end
objects = [Object.new, Same.new(0), Same.new(0), Same.new(1), Same.new(2), nil, false, :a, "a", +"a", 1.5, 2**70, [1], [1]]
objects.each { |a| objects.each { |b| compare(a, b) } }
puts objects.map { |a| objects.map { |b| compare(a, b).size }.sum }.inspect # => [28, 28, 28, 42, 42, 56, 42, 28, 28, 28, 28, 28, 28, 28]
puts compare(objects[1], objects[2]).inspect # => [1, true]
puts compare(objects[3], objects[2]).inspect # => [2, 3, false]
puts compare(objects[8], objects[9]).inspect # => [1, true]
puts compare(objects[12], objects[13]).inspect # => [1, true]

def look(o, k) = [o[k], o[0], o.size, o.empty?]
list = [[1, 2, 3], { 0 => 1, 2 => 3 }, "abc", Same.new(3), Hash.new { |_, k| k.to_s }, [], {}, ""]
5.times { list.each { |o| look(o, 2) } }
list.each { |o| puts look(o, 2).inspect }
# => [3, 1, 3, false]
# => [3, 1, 2, false]
# => ["c", "a", 3, false]
# => [6, 0, 3, false]
# => ["2", "0", 0, true]
# => [nil, nil, 0, true]
# => [nil, nil, 0, true]
# => [nil, nil, 0, true]

def put(o, k, v)
  o[k] = v
  o
end
5.times { [[1, 2, 3], {}, +"abc", Same.new(3)].each { |o| put(o, 1, o.is_a?(String) ? "z" : 2) } }
puts put([1, 2, 3], 1, 9).inspect # => [1, 9, 3]
puts put({}, "k", 9).inspect # => {"k" => 9}
puts put(+"abc", 1, "zz") # => azzc
puts put(Same.new(1), 3, 4).n # => 7
begin
  put([1].freeze, 0, 2)
rescue FrozenError => e
  puts e.message # => can't modify frozen Array: [1]
end

# Natives that need their frame: with a block, without one, with one that is left.
def natives(list)
  a = list.sort_by { |x| -x }
  b = list.instance_eval { size }
  c = list.public_send(:first)
  d = catch(:done) { list.each { |x| throw :done, x if x > 1 } }
  e = list.index { |x| break x * 10 if x == 3 }
  [a, b, c, d, e]
end
5.times { natives([1, 2, 3]) }
puts natives([3, 1, 2]).inspect # => [[3, 2, 1], 3, 3, 3, 30]

def asked = block_given?
def forwarded(&block) = [asked(&block), binding.local_variables, __method__]
5.times { forwarded }
puts forwarded {}.inspect # => [true, [:block], :forwarded]

# A fiber switches inside a native method, and inside an iterator of the core.
def suspend(list)
  list.sort_by { |x| Fiber.yield(x); -x }
end
fibers = Array.new(4) { |i| Fiber.new { suspend([i, i + 1]) } }
seen = []
3.times { fibers.each { |f| seen << f.resume } }
puts seen.inspect # => [0, 1, 2, 3, 1, 2, 3, 4, [1, 0], [2, 1], [3, 2], [4, 3]]

def walk(list) = list.each_with_index.map { |x, i| x * i }.select { |x| x > 0 }.inject(0) { |a, b| a + b }
10.times { walk([1, 2, 3]) }
puts walk([1, 2, 3]) # => 8

# An operator of the core is redefined by what an iterator of the core calls.
def adds(list)
  list.map { |x| x.call + 1 }
end
calls = [-> { 1 }, -> { 2 }]
5.times { adds(calls) }
change = lambda do
  Integer.class_eval do
    alias_method :plus, :+
    def +(other) = other == 1 ? plus(1000) : plus(other)
  end
  5
end
puts adds([-> { 1 }, change, -> { 2 }]).inspect # => [2, 1005, 1002]
class Integer
  alias_method :+, :plus
end
