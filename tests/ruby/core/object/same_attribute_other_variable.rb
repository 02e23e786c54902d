# Objects of the same shape whose classes mean different variables by the same attribute, at one place.
class A
  attr_accessor :x
  def initialize = (@x, @y = 1, 2)
end

class B
  attr_accessor :y
  alias x y
  alias x= y=
  def initialize = (@x, @y = 1, 2)
end

def read(o) = o.x
def write(o) = o.x = 5
a, b = A.new, B.new
3.times { read(a) }
p Array.new(4) { read(b) }, read(a), read(b) # => [2, 2, 2, 2]
# => 1
# => 2
3.times { write(a) }
4.times { write(b) }
p [b.y, b.instance_variable_get(:@x)] # => [5, 1]
p [a.x, a.instance_variable_get(:@y)] # => [5, 2]

class A
  attr_reader :y
  alias x y
end
p read(a), read(b) # => 2
# => 5
