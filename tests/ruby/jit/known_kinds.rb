# args: --jit=always
# What compiled code has looked at once it does not look at again: counters, indices and Arrays in loops, and `self`.

# Sums that leave the fixnums in the middle of a loop, and come back.
def sums(from, by, n)
  list = []
  i = 0
  sum = from
  while i < n
    sum += by
    list << sum if i > n - 3
    i += 1
  end
  [list, sum - by * n]
end

40.times { sums(0, 1, 30) }
p sums(2**62 - 20, 1, 30)
# => [[4611686018427387913, 4611686018427387914], 4611686018427387884]
p sums(-2**62 + 20, -1, 30)
# => [[-4611686018427387913, -4611686018427387914], -4611686018427387884]
p sums(0.5, 1, 3)
# => [[2.5, 3.5], 0.5]

def count_over(n, end_of)
  seen = 0
  while n < end_of
    n += 1
    seen += 1
  end
  [n, seen]
end

40.times { count_over(1, 50) }
p count_over(2**62 - 3, 2**62 + 3)
# => [4611686018427387907, 6]

def subtracted(n) = [n - 1, n - -1, n + -5, -n]
40.times { |n| subtracted(n) }
p subtracted(-2**62)
# => [-4611686018427387905, -4611686018427387903, -4611686018427387909, 4611686018427387904]
p subtracted(2**62 - 1)
# => [4611686018427387902, 4611686018427387904, 4611686018427387898, -4611686018427387903]

# Divisors that are powers of two, and places to shift by.
def divided(n) = [n / 1, n / 8, n % 8, n % 1, n >> 1, n >> 62, n >> 3]
40.times { |n| divided(n) }
p divided(-9)
# => [-9, -2, 7, 0, -5, -1, -2]
p divided(-2**62)
# => [-4611686018427387904, -576460752303423488, 0, 0, -2305843009213693952, -1, -576460752303423488]
p divided(2**62-1)
# => [4611686018427387903, 576460752303423487, 7, 0, 2305843009213693951, 0, 576460752303423487]

# A loop that keeps what it looks at is entered with something else.
def scaled(list, by)
  i = 0
  sum = 0
  while i < list.size
    sum += list[i] * by
    i += 1
  end
  sum
end

40.times { scaled([1, 2, 3], 2) }
p scaled([1, 2, 3], 0.5)
# => 3.0
p scaled([2**61, 1], 4)
# => 9223372036854775812
class Odd < Array
  def [](n) = 7
end
p scaled(Odd.new(3), 1)
# => 21
p scaled([], nil)
# => 0
begin
  scaled([1], nil)
rescue TypeError => e
  puts e.message
# => nil can't be coerced into Integer
end
list = [1, 2, 3]
def list.[](n) = 5
p scaled(list, 1)
# => 15

# An Array gets a class of its own while the loop runs.
def read(list, n)
  seen = []
  i = 0
  while i < n
    seen << list[0]
    yield i
    i += 1
  end
  seen.tally
end

20.times { read([3], 10) { |i| i } }
other = [3]
p read(other, 10) { |i| other.define_singleton_method(:[]) { |_| :own } if i == 6 }
# => {3 => 7, own: 3}

# `self` that is an object, another cell, or none.
module Named
  def named(n) = n == 0 ? [self.class, @name] : named(n - 1)
end
class Thing
  include Named
  def initialize = @name = :thing
end
[Integer, String, Symbol].each { |c| c.include(Named) }
20.times { Thing.new.named(3) }
p Thing.new.named(2)
# => [Thing, :thing]
p 5.named(2)
# => [Integer, nil]
p :s.named(1)
# => [Symbol, nil]
text = +"text"
text.instance_variable_set(:@name, :own)
p text.named(1)
# => [String, :own]
p Thing.new.named(2)
# => [Thing, :thing]
