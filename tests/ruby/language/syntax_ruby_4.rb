# Syntax and core classes that came between Ruby 3.2 and 4.0.
p [1, 2, 3].map { it * 2 } # => [2, 4, 6]
p [[1, 2]].map { it.sum } # => [3]
it = 5
p [1].map { it } # => [5]

def forward_rest(*) = [1].flat_map { |x| collect(x, *) }
def forward_keywords(**) = collect(**)
def forward_block(&) = [1].map(&)
def collect(*args, **kw) = [args, kw.to_a]
p forward_rest(2, 3) # => [[1, 2, 3], []]
p forward_keywords(a: 1) # => [[], [[:a, 1]]]
p(forward_block { |x| x + 1 }) # => [2]

answer = true
  && false
  || "continued"
p answer # => "continued"

Coord = Data.define(:lat, :lng) do
  def +(other) = with(lat: lat + other.lat, lng: lng + other.lng)
end
c = Coord.new(lat: 1, lng: 2)
p c # => #<data Coord lat=1, lng=2>
p c + Coord.new(3, 4) # => #<data Coord lat=4, lng=6>
p c.with(lat: 0), c == Coord.new(1, 2), c.frozen?, c.to_h
# => #<data Coord lat=0, lng=2>
# => true
# => true
# => {lat: 1, lng: 2}
begin
  Coord.new(1)
rescue ArgumentError => e
  puts e.message # => missing keyword: :lng
end
begin
  Coord.new(1, 2, 3)
rescue ArgumentError => e
  puts e.message # => wrong number of arguments (given 3, expected 0..2)
end
case c
in { lat:, lng: } then p [lat, lng] # => [1, 2]
end

s = Set[3, 1, 2]
p s, s.include?(1), s | [9], Set.new
# => Set[3, 1, 2]
# => true
# => Set[3, 1, 2, 9]
# => Set[]

config = Struct.new(:host, :port)
p config.new(host: "h", port: 1).to_a # => ["h", 1]
def kw_splat_nil(**kw) = kw
p kw_splat_nil(**nil) # => {}
p [1, 2, 3].then { |a, | a } # => 1
p "1.".to_f, "1.E2".to_f
# => 1.0
# => 100.0
p [[1, [2, 3]]].each_with_object([]) { |(a, (b, c)), all| all << [a, b, c] } # => [[1, 2, 3]]
h = { x: 1, y: 2 }
x = 10
p({ x:, z: 3 }) # => {x: 10, z: 3}
p h.except(:x) # => {y: 2}
h => { y: }
p y # => 2
