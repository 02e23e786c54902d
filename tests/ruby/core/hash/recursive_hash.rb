# `hash` of what contains itself: the outermost of what is asked for it counts as nothing known, so that equal ones have one hash.
a = []
a << a
p a.hash == [a].hash, a.hash == [[a]].hash # => true
# => true
h = {}
h[:x] = h
p h.hash == {x: h}.hash, h.hash == {x: {x: h}}.hash, {h => 1}[{x: h}] # => true
# => true
# => 1
h = {}
h[:x] = [h]
p({[h] => 1}[[{x: [h]}]]) # => 1
a = []
a << {x: a}
p a.hash == [{x: a}].hash # => true

Pair = Struct.new(:left, :right)
s = Pair.new(1)
s.right = s
p s.hash == Pair.new(1, s).hash, [s].hash == [Pair.new(1, s)].hash # => true
# => true

class Whole
  def initialize(*parts) = @parts = parts
  def <<(part) = @parts << part
  def hash = @parts.hash
  def eql?(other) = other.is_a?(Whole)
end
w = Whole.new
w << w
p w.hash == Whole.new(w).hash, {w => 1}[Whole.new(w)] # => true
# => 1

# What only occurs twice does not contain itself.
b = [1]
p [b, b].hash == [[1], [1]].hash, [b, b].hash == [[1], [2]].hash # => true
# => false

# What is raised on the way ends it.
class Odd
  def hash = raise("no hash")
end
e = begin
  {[Odd.new, a] => 1}
rescue => e
  e.message
end
p e, a.hash == [{x: a}].hash, [[1]].hash == [[1]].hash # => "no hash"
# => true
# => true
