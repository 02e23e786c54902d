# Data (since Ruby 3.2).

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
Point = Data.define(:x, :y) { def +(o) = with(x: x + o.x, y: y + o.y) }
a = Point.new(1, 2)
p(a) # => #<data Point x=1, y=2>
p(a.x) # => 1
p(Point.new(x: 3, y: 4)) # => #<data Point x=3, y=4>
p(a + a) # => #<data Point x=2, y=4>
p(a.with(y: 9)) # => #<data Point x=1, y=9>
p(a == Point.new(1, 2)) # => true
p(a.eql?(Point.new(1.0, 2))) # => false
p(a == Point.new(1.0, 2)) # => true
p(a.hash == Point.new(1,2).hash) # => true
p(a.to_h.to_a) # => [[:x, 1], [:y, 2]]
p(a.members) # => [:x, :y]
p(Point.members) # => [:x, :y]
p(a.frozen?) # => true
p(a.inspect) # => "#<data Point x=1, y=2>"
p(a.to_s) # => "#<data Point x=1, y=2>"
p(Point[5, 6]) # => #<data Point x=5, y=6>
p(a.deconstruct_keys([:x]).to_a) # => [[:x, 1]]
p(a.deconstruct_keys(nil).to_a) # => [[:x, 1], [:y, 2]]
p(a.with.equal?(a)) # => true
p(a.respond_to?(:x=)) # => false
p(a.dup == a) # => true
p(Data.define.new) # => #<data >
p(a.to_h { |k, v| [v, k] }.to_a) # => [[1, :x], [2, :y]]
e { Point.new(1) } # => [ArgumentError, "missing keyword: :y"]
e { Point.new } # => [ArgumentError, "missing keywords: :x, :y"]
e { Point.new(1, 2, 3) } # => [ArgumentError, "wrong number of arguments (given 3, expected 0..2)"]
e { Point.new(x: 1) } # => [ArgumentError, "missing keyword: :y"]
e { Point.new(x: 1, y: 2, z: 3) } # => [ArgumentError, "unknown keyword: :z"]
e { Point.new(x: 1, y: 2, z: 3, w: 4) } # => [ArgumentError, "unknown keywords: :z, :w"]
e { a.with(1) } # => [ArgumentError, "wrong number of arguments (given 1, expected 0)"]
e { a.with(z: 1) } # => [ArgumentError, "unknown keyword: :z"]
e { a.instance_variable_set(:@a, 1) } # => [FrozenError, "can't modify frozen Point: #<data Point x=1, y=2>"]
e { Data.define(:a, :a) } # => [ArgumentError, "duplicate member: a"]
e { Data.define("a=") } # => [ArgumentError, "invalid data member: a="]
e { Data.define(1) } # => [TypeError, "1 is not a symbol nor a string"]
e { a.deconstruct_keys(1) } # => [TypeError, "wrong argument type Integer (expected Array or nil)"]
e { case a; in {x:, y:} then [x, y]; end } # => [1, 2]
class P3 < Data.define(:v); def initialize(v: 7) = super(v: v * 2); end
p(P3.new) # => #<data P3 v=14>
p(P3.new(4)) # => #<data P3 v=8>
p(P3.new(v: 5)) # => #<data P3 v=10>
p(P3.new(1).inspect) # => "#<data P3 v=2>"
