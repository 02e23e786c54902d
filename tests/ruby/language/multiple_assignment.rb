# Multiple assignment: splats, nesting, swaps, attributes and the order of evaluation.
a, b = 1, 2
a, b = b, a
p [a, b] # => [2, 1]
a, b, c = 1, 2
p c # => nil
a, *b = 1, 2, 3
p a, b
# => 1
# => [2, 3]
*a, b = 1, 2, 3
p a, b
# => [1, 2]
# => 3
a, *b, c, d = 1, 2, 3
p [a, b, c, d] # => [1, [], 2, 3]
a, (b, (c, *d)), e = 1, [2, [3, 4, 5]], 6
p [a, b, c, d, e] # => [1, 2, 3, [4, 5], 6]
a, b = [1, 2], 3
p a # => [1, 2]
a, = [9, 8]
p a # => 9
(a, b), c = [1, 2], 3
p [a, b, c] # => [1, 2, 3]
a = *1..3
p a # => [1, 2, 3]
a = 1, 2
p a # => [1, 2]
a = *nil
p a # => []
a, b = nil
p [a, b] # => [nil, nil]
*, last = [1, 2, 3]
p last # => 3
first, * = 1, 2
p first # => 1

class Holder
  attr_accessor :x, :list

  def initialize = @list = [0, 0]
end
h = Holder.new
h.x, h.list[0], @ivar, $global, Const = 1, 2, 3, 4, 5
p h.x, h.list, @ivar, $global, Const
# => 1
# => [2, 0]
# => 3
# => 4
# => 5

class Pair
  def to_ary = [:left, :right]
end
l, r = Pair.new
p l, r
# => :left
# => :right

p((a, b = 3, 4)) # => [3, 4]
x = (y = 5) + 1
p x, y
# => 6
# => 5
a = b = c = 0
p [a, b, c] # => [0, 0, 0]
list = [1, 2, 3]
list[0], list[1] = list[1], list[0]
p list # => [2, 1, 3]
i = 0
i, list[i] = 2, :changed
p list # => [:changed, 1, 3]
def multi = return 1, 2, *[3]
p multi # => [1, 2, 3]
h = {}
h[:a], h[:b] = 1, 2
p h.values # => [1, 2]
a, b = b, a = 1, 2
p a, b
# => 0
# => 1
