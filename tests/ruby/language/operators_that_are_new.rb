# An operator may be another name of `new`: a site that has met it once goes on making objects.
class Point
  class << self
    alias [] new
    alias + new
    alias === new
    alias []= new
    alias -@ new
  end
  attr_reader :x
  def initialize(x = nil, y = nil) = @x = x
end
Pair = Struct.new(:a, :b) do
  class << self
    alias < new
  end
end
def made(c) = c[1]
p Array.new(4) { made(Point).x } # => [1, 1, 1, 1]
p [[5, 6], {1 => 7}, Point].map { |o| made(o) }.first(2), made(Point).class # => [6, 7]
# => Point
def others(c, d)
  [c + 2, c === 3, -c, d < 4]
end
p Array.new(40) { others(Point, Pair).map(&:class) }.uniq # => [[Point, Point, Point, Pair]]
def set(c) = c[1] = 2
p Array.new(3) { set(Point) }, Array.new(3) { made(Class.new(Point)).x } # => [2, 2, 2]
# => [1, 1, 1]
