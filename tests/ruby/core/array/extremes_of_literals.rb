# `[a, b].max` and `.min` make no Array where the values are numbers.
def both(a, b) = [[a, b].max, [a, b].min]
p both(1, 2), both(2, 1), both(1.5, 2.5), both(2, 1.5), both("a", "b") # => [2, 1]
# => [2, 1]
# => [2.5, 1.5]
# => [2, 1.5]
# => ["b", "a"]
p both(2**70, 1), both([1], [2]) # => [1180591620717411303424, 1]
# => [[2], [1]]
p 1 / [0.0, -0.0].max, 1 / [-0.0, 0.0].max # => Infinity
# => -Infinity
[[1, nil], [Float::NAN, 1.0]].each do |a, b|
  both(a, b)
rescue ArgumentError => e
  p e.class # => ArgumentError
# => ArgumentError
end
a = 3
b = 7
a = [a, b, a].max
p a, [a, (b = 9), b].min, b # => 7
# => 7
# => 9
p [[1, 2].max, [4, 3].min].max, [1, *[5], 2].max, [4, 8].max { |x, y| y <=> x }, [4, 8, 6].max(2) # => 3
# => 5
# => 4
# => [8, 6]
[a, b].max
p 500.times.sum { |i| [i, 250].max + [i, 250].min } # => 249750
module Backwards
  refine(Array) { def max = :refined }
end
using Backwards
p [a, b].max # => :refined
class Array
  def min = [:own, size]
end
p both(1, 2) # => [2, [:own, 2]]
