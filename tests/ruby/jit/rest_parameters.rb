# args: --jit=always
# Compiled code calls methods with a rest parameter directly: what is left of the values is an Array.

class Sum
  def initialize(first, *others) = @all = [first, *others]
  attr_reader :all

  def rest(*a) = a
  def behind(a, b = a + 1, *c) = [a, b, c]
  def count(*) = 1
  def each_one(*args)
    args.push(:end).each { |x| yield x }
    self
  end
  def kept(*a) = -> { a << 1 }
  def deep(n, *a) = n == 0 ? a : deep(n - 1, n, *a)
  def deeper(n, *a) = n == 0 ? a : deeper(n - 1, n)
  def with_locals(*a)
    x = a[0] if a.size > 1
    y = 5 if a.empty?
    [x, y, a]
  end
end

def rests(s) = [s.rest, s.rest(1), s.rest(1, 2), s.rest([3])]
def behinds(s) = [s.behind(1), s.behind(1, 3), s.behind(1, 3, 4), s.behind(1, 3, 4, 5)]
def blocks(s)
  seen = []
  s.each_one(1, "x") { |v| seen << v }
  s.each_one { |v| seen << v }
  seen
end
def made = [Sum.new(1).all, Sum.new(1, 2, 3).all]
def locals(s) = [s.with_locals, s.with_locals(1), s.with_locals(1, 2)]
def indexed(list)
  seen = []
  list.each_with_index { |v, i| seen << v << i }
  seen
end

s = Sum.new(0)
results = nil
(GC.stress ? 10 : 100).times do
  now = [rests(s), behinds(s), blocks(s), made, locals(s), indexed(%w[a b]), s.count(1, 2), s.deeper(3)]
  raise "another result: #{now}" if results && now != results
  results = now
end
results.each { |r| p r }
# => [[], [1], [1, 2], [[3]]]
# => [[1, 2, []], [1, 3, []], [1, 3, [4]], [1, 3, [4, 5]]]
# => [1, "x", :end, :end]
# => [[1], [1, 2, 3]]
# => [[nil, 5, []], [nil, nil, [1]], [1, nil, [1, 2]]]
# => ["a", 0, "b", 1]
# => 1
# => [1]

# Each call has an Array of its own.
a = s.rest(1)
b = s.rest(1)
a << 2
p a, b, s.kept(7).call, s.deep(4)
# => [1, 2]
# => [1]
# => [7, 1]
# => [1, 2, 3, 4]

def flagged(s, h) = s.rest(1, h)
marked = Class.new { ruby2_keywords def take(*a) = a }.new.take(k: 1)
10.times { flagged(s, marked[0]) }
p flagged(s, marked[0])
# => [1, {k: 1}]

begin
  10.times { s.behind }
rescue ArgumentError => e
  puts e.message
end
# => wrong number of arguments (given 0, expected 1+)

def one(s) = s.rest(1, 2)
10.times { one(s) }
class Sum
  def rest(a, b, *) = [:other, a, b]
end
p one(s)
# => [:other, 1, 2]
