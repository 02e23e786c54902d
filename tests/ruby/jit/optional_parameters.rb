# args: --jit=always
# Compiled code calls methods with optional parameters directly: those that are not given have their defaults.

class Counter
  def initialize(step = 1, limit = step * 10)
    @step = step
    @limit = limit
  end
  attr_reader :step, :limit

  def add(a, b = a + 1, c = b + @step)
    late = a if a > 100
    [a, b, c, late]
  end

  def each(from = 0, to = @limit)
    while from < to
      yield from
      from += @step
    end
    self
  end

  def kept(n = 1) = -> { n += 1 }

  def nested(n = 5) = n == 0 ? [] : [n] + nested(n - 1)

  def found(key, default = (missing = true; key))
    [default, missing]
  end
end

def all(c)
  sum = 0
  c.each { |n| sum += n }
  c.each(5) { |n| sum += n }
  c.each(5, 7) { |n| sum += n }
  k = c.kept
  k.call
  [c.add(1), c.add(1, 5), c.add(1, 5, 9), sum, k.call, c.kept(10).call, c.found(:k), c.found(:k, 2)]
end

counter = Counter.new
puts 50.times.map { all(counter) }.uniq.inspect
# => [[[1, 2, 3, nil], [1, 5, 6, nil], [1, 5, 9, nil], 91, 3, 11, [:k, true], [2, nil]]]
puts 20.times.map { counter.nested }.uniq.inspect # => [[5, 4, 3, 2, 1]]
puts 20.times.map { [Counter.new(2).limit, Counter.new(2, 3).limit] }.uniq.inspect # => [[20, 3]]

# A Hash at the end is an argument like others.
def last(a, b = nil) = [a, b]
def pass(h) = last(1, h)
20.times { pass(1) }
puts pass({ a: 1 }).inspect # => [1, {a: 1}]

# The wrong number, and what a default raises.
def few(c) = c.add
def fails(a, b = Integer(a)) = b
def failing(a) = fails(a)
20.times { failing("1") }
2.times do
  few(counter)
rescue ArgumentError => e
  puts e.message
end
# => wrong number of arguments (given 0, expected 1..3)
# => wrong number of arguments (given 0, expected 1..3)
begin
  failing("x")
rescue ArgumentError => e
  puts e.message, e.backtrace_locations.map(&:label).first(3).inspect
end
# => invalid value for Integer(): "x"
# => ["Kernel#Integer", "Object#fails", "Object#failing"]

# Other code under the name: the same number of arguments, and another number.
class Counter
  def add(a, b = 0, c = 0, d = 4) = [a, b, c, d]
end
puts all(counter).first(3).inspect # => [[1, 0, 0, 4], [1, 5, 0, 4], [1, 5, 9, 4]]
class Counter
  def add(a, *rest) = [a, rest]
end
puts all(counter).first(3).inspect # => [[1, []], [1, [5]], [1, [5, 9]]]

# Threads, a switch within a default, and a deep recursion.
def waits(a, b = Fiber.yield(a)) = [a, b]
fibers = 10.times.map { |n| Fiber.new { waits(n) } }
puts fibers.map(&:resume).inspect # => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
puts fibers.map { |f| f.resume(:x) }.last.inspect # => [9, :x]
puts 3.times.map { Thread.new { 100.times.map { counter.nested(9).sum }.uniq } }.map(&:value).inspect # => [[45], [45], [45]]
def down(n, m = 1) = n == 0 ? m : down(n - 1) + m
begin
  down(10_000_000)
rescue SystemStackError => e
  puts e.class # => SystemStackError
end
puts down(1000) # => 1001

# `new` of a class whose `initialize` has optional parameters, which is replaced, and of several classes at one place.
class Pair
  def initialize(a, b = [a], c = b)
    raise ArgumentError, "no #{a}" if a == 13
    @a = a
    @b = b
    @c = c
  end

  def to_a = [@a, @b, @c]
end

class Triple < Pair
  def initialize(a = 0, *rest) = super(a, rest)
end

def one(a) = Pair.new(a)
def two(a, b) = Pair.new(a, b).to_a
def any(c) = c.new(7).to_a
puts 20.times.map { one(1).to_a }.uniq.inspect # => [[1, [1], [1]]]
puts 20.times.map { two(1, 2) }.uniq.inspect # => [[1, 2, 2]]
puts 20.times.map { any(Pair) }.uniq.inspect # => [[7, [7], [7]]]
puts 20.times.map { any(Triple) }.uniq.inspect # => [[7, [], []]]
puts any(Pair).inspect, any(Triple).inspect
# => [7, [7], [7]]
# => [7, [], []]
begin
  one(13)
rescue ArgumentError => e
  puts e.message, e.backtrace_locations.map(&:label).first(2).inspect
end
# => no 13
# => ["Pair#initialize", "Object#one"]
class Pair
  def initialize(a, d = :new)
    @a = a
    @b = d
    @c = nil
  end
end
puts 20.times.map { [one(1).to_a, two(1, 2), any(Pair)] }.uniq.inspect # => [[[1, :new, nil], [1, 2, nil], [7, :new, nil]]]
def Pair.new(*) = [:made, *super.to_a]
puts 20.times.map { one(1).to_a }.uniq.inspect # => [[:made, 1, :new, nil]]
