# Struct: members, keywords, equality, conversion and methods of its own.
Point = Struct.new(:x, :y) do
  def +(other) = Point.new(x + other.x, y + other.y)
  def to_s = "(#{x}, #{y})"
  def self.origin = new(0, 0)
end
a = Point.new(1, 2)
p a, a.x, a[1], a["x"], a[:y], a.to_a, a.to_h.to_a, a.members, Point.members
# => #<struct Point x=1, y=2>
# => 1
# => 2
# => 1
# => 2
# => [1, 2]
# => [[:x, 1], [:y, 2]]
# => [:x, :y]
# => [:x, :y]
puts a, "#{a + Point.new(3, 4)}", Point.origin
# => (1, 2)
# => (4, 6)
# => (0, 0)
a.x = 10
a[:y] = 20
p a == Point.new(10, 20), a.eql?(Point.new(10.0, 20)), a.hash == Point.new(10, 20).hash, a == [10, 20]
# => true
# => false
# => true
# => false
p Point.new(1), Point.new(1, 2).each.to_a, a.values_at(0, 1), a.dig(:x), a.size, a.sum, a.select(&:even?)
# => #<struct Point x=1, y=nil>
# => [1, 2]
# => [10, 20]
# => 10
# => 2
# => 30
# => [10, 20]
x, y = *a
p x, y
# => 10
# => 20
begin
  Point.new(1, 2, 3)
rescue ArgumentError => e
  puts e.message # => struct size differs
end
begin
  a[5]
rescue IndexError => e
  puts e.message # => offset 5 too large for struct(size:2)
end
begin
  a[:z]
rescue NameError => e
  p e.class, e.name
  # => NameError
  # => :z
end
Config = Struct.new(:host, :port, keyword_init: true)
c = Config.new(host: "h", port: 1)
p c, c.to_h.to_a, Config.new(host: "x").port
# => #<struct Config host="h", port=1>
# => [[:host, "h"], [:port, 1]]
# => nil
begin
  Config.new(bad: 1)
rescue ArgumentError => e
  puts e.message # => unknown keywords: bad
end
case a
in [x, y] then p [x, y] # => [10, 20]
end
case a
in { x: } then p x # => 10
end
b = a.dup
b.x = 0
p a.x, b.x, a.frozen?, Point.ancestors.include?(Enumerable), Point.superclass
# => 10
# => 0
# => false
# => true
# => Struct
class Named < Struct.new(:name, :list)
  def initialize(name, list = []) = super
end
n = Named.new("n")
n.list << 1
p n, n.list, Named.new("m").list
# => #<struct Named name="n", list=[1]>
# => [1]
# => []
p [Point.new(2, 1), Point.new(1, 2)].sort_by(&:x).map(&:to_a), a <=> b
# => [[1, 2], [2, 1]]
# => nil
h = { Point.new(1, 1) => :found }
p h[Point.new(1, 1)], a.each_pair.to_a, a.filter_map { |v| v if v > 10 }
# => :found
# => [[:x, 10], [:y, 20]]
# => [20]
p a.inspect, a.to_s, Struct.new(:q).new(1).to_a, a.then { |q| q.x }
# => "#<struct Point x=10, y=20>"
# => "(10, 20)"
# => [1]
# => 10
