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
