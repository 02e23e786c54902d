# args: --jit=always
# Compiled code calls operators that are written in Ruby, goes on behind them when they were interpreted, and jumps by what they say.

class Amount
  attr_reader :n

  def initialize(n)
    @n = n
  end

  def +(other)
    Fiber.yield(:added) if other.n == 77
    Amount.new(@n + other.n)
  end

  def -(other) = Amount.new(@n - (other.is_a?(Amount) ? other.n : other))
  def <(other) = @n < other.n
  def >=(other) = @n >= other.n && (raise ArgumentError, "too much" if other.n == 99) || @n >= other.n
  def ==(other) = other.is_a?(Amount) && @n == other.n
  def !=(other) = !other.is_a?(Amount) || @n != other.n
  def [](k) = @n * k
  def size = @n
  def empty? = @n.zero?
  def ===(other) = other == @n
end

def work(a, b, limit)
  log = []
  while a < limit
    a += b
    log << a.n
    log << -1 if a == limit
    log << -2 unless a != limit
    break if a >= limit
  end
  log << a[3] << a.size << a.empty? << (a - 1).n << (a - b).n
  log << (case 9 when a then :is else :is_not end)
end

results = 4.times.map { work(Amount.new(0), Amount.new(3), Amount.new(9)) }
p results.uniq # => [[3, 6, 9, -1, -2, 27, 9, false, 8, 6, :is]]

# A fiber switches in the operator: the frames that were compiled go on behind it.
2.times do
  fiber = Fiber.new { work(Amount.new(1), Amount.new(77), Amount.new(80)) }
  seen = [fiber.resume, fiber.resume, fiber.resume]
  p seen
  # => [:added, :added, [78, 155, 465, 155, false, 154, 78, :is_not]]
end
# => [:added, :added, [78, 155, 465, 155, false, 154, 78, :is_not]]

# An exception in a comparison that is jumped by.
def raises(a)
  a >= Amount.new(99) ? 1 : 2
rescue ArgumentError => e
  e.message
end
3.times { raises(Amount.new(5)) }
p raises(Amount.new(100)) # => "too much"

# Another class at the same place, and a method that is replaced.
class Other < Amount
  def +(other) = Other.new(@n + other.n + 100)
end
p work(Other.new(0), Amount.new(3), Amount.new(9)) # => [103, 309, 103, false, 102, 100, :is_not]
class Amount
  def -(other) = Amount.new(0)
end
p work(Amount.new(0), Amount.new(3), Amount.new(9)).last(3) # => [0, 0, :is]

# Large Integers at places where small ones were met.
def mix(x, mask)
  x ^= (x << 13) & mask
  x ^= x >> 7
  x ^ ((x << 17) & mask)
end
x = 88_172_645_463_325_252
6.times { x = mix(x, 0xffff_ffff_ffff_ffff) }
p x # => 17801246309558322749

# Arrays are taken apart, whatever they are.
class Pair
  def to_ary = [1, 2]
end
def apart(v)
  a, b = v
  c, (d, e), *f = v, v, 1, 2
  [a, b, d, e, f, c.equal?(v)]
end
3.times { apart([1, 2]) }
p apart([3, 4]), apart([5]), apart([6, 7, 8]), apart(9), apart(nil) # => [3, 4, 3, 4, [1, 2], true]
# => [5, nil, 5, nil, [1, 2], true]
# => [6, 7, 6, 7, [1, 2], true]
# => [9, nil, 9, nil, [1, 2], true]
# => [nil, nil, nil, nil, [1, 2], true]
p apart(Pair.new) # => [1, 2, 1, 2, [1, 2], true]
def swap(a, b)
  n = (a, b = b * 1.5, a * 2.5)
  [a, b, n]
end
3.times { swap(1.5, 2.5) }
p swap(2.0, 4.0) # => [6.0, 5.0, [6.0, 5.0]]
