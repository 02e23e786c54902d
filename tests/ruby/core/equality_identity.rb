# Containers find an object equal to itself before they ask its `==`, be it never `==` to itself.

nan = Float::NAN
never = Object.new
def never.==(_other) = false
Pair = Struct.new(:a)
Point = Data.define(:a)

class One
  include Enumerable
  def initialize(v) = @v = v
  def each = yield(@v)
end

p nan == nan # => false
p nan === nan # => false
p never === never # => true

def results(v)
  [{ a: v } == { a: v }, { a: v }.eql?({ a: v }), { a: v } <= { a: v }, { a: v }.value?(v), { a: v }.key(v),
   !{ a: v }.rassoc(v).nil?, !{ v => 1 }.assoc(v).nil?]
end
p results(nan) # => [true, true, true, true, :a, true, true]
p results(never) # => [true, true, true, true, :a, true, true]

def lists(v)
  [[v] == [v], [v].include?(v), [v].member?(v), [v].index(v), [v].count(v), ![[v, 1]].assoc(v).nil?, ![[1, v]].rassoc(v).nil?]
end
p lists(nan) # => [true, true, true, 0, 1, true, true]
p lists(never) # => [true, true, true, 0, 1, true, true]

def others(v)
  one = One.new(v)
  [Pair.new(v) == Pair.new(v), Pair.new(v).eql?(Pair.new(v)), Point.new(v) == Point.new(v),
   Point.new(v).eql?(Point.new(v)), one.include?(v), one.find_index(v), one.count(v), (v..nil) == (v..nil)]
end
p others(nan) # => [true, true, true, true, true, 0, 1, true]
p others(never) # => [true, true, true, true, true, 0, 1, true]

# Another NaN is another object.
p [0.0 / 0] == [nan] # => false
p({ a: 0.0 / 0 } == { a: nan }) # => false
