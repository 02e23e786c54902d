# What a site remembers of a call, and what it has to notice: `new` and `yield` above all.

class Point
  def initialize(x, y)
    @x = x
    @y = y
    return 5
  end
  def sum = @x + @y
end
def point(x, y) = Point.new(x, y)
p((1..3).map { |i| point(i, i).sum }) # => [2, 4, 6]
class Point
  def initialize(x, y)
    @x = x * 10
    @y = y
  end
end
p((1..3).map { |i| point(i, i).sum }) # => [11, 22, 33]
class Point
  def initialize(x, y = 7, *rest)
    @x = x
    @y = rest.size
  end
end
p point(1, 2).sum # => 1

# A site that several classes come to
class A; def initialize(v) = @v = v; def get = [:a, @v]; end
class B < A; end
class C < A; def initialize(v) = super(v + 100); end
def make(c, v) = c.new(v)
p([A, B, C, A, B, C].map { |c| make(c, 1).get }) # => [[:a, 1], [:a, 1], [:a, 101], [:a, 1], [:a, 1], [:a, 101]]
class B; def get = [:b, @v]; end
p([A, B, C].map { |c| make(c, 2).get }) # => [[:a, 2], [:b, 2], [:a, 102]]

# `new` under another name, of one's own, hidden
class Named
  class << self
    alias_method :build, :new
  end
  def initialize; @a = 1; end
  def a = @a
end
def build = Named.build
p build.a # => 1
class Named; def b = 2; end
p build.b # => 2
class Named
  def self.new = :other
end
p build.a # => 1
p Named.new # => :other
class Named
  class << self
    alias_method :build, :new
  end
end
p build # => :other
class Hidden
  def self.make = new
end
def hidden = Hidden.new
p hidden.class # => Hidden
Hidden.private_class_method :new
begin
  hidden
rescue NoMethodError => e
  puts e.message # => private method 'new' called for class Hidden
end
p Hidden.make.class # => Hidden

# Nothing to initialize, until there is
class Bare; end
def bare = Bare.new
p [bare, bare].flat_map(&:instance_variables) # => []
class Bare; def initialize; @now = 1; end; end
p bare.instance_variables # => [:@now]
$VERBOSE = nil
class Bare; remove_method :initialize; end
p bare.instance_variables # => []
class BasicObject
  private def initialize(*) = nil
end
p bare.instance_variables # => []

def bare_with(n) = Bare.new(n)
p bare_with(1).class # => Bare

# What initialize does beside returning
class Kept
  def initialize(n)
    @get = -> { n }
    raise ArgumentError, "odd" if n.odd?
  end
  def get = @get.call
end
def kept(n) = Kept.new(n)
p((0..3).map { |n| kept(n).get rescue $!.message }) # => [0, "odd", 2, "odd"]
begin
  kept(1)
rescue => e
  p e.backtrace_locations.map(&:lineno).first(2) # => [94, 98]
end
def deep(n) = n == 0 ? Bare.new : deep(n - 1)
p deep(5000).class # => Bare
class Chain
  def initialize(n)
    @next = n > 0 ? Chain.new(n - 1) : nil
  end
  def length = @next ? 1 + @next.length : 1
end
p Chain.new(3000).length # => 3001
p Fiber.new { Chain.new(100).length }.resume # => 101

# yield of any number of values to any number of parameters
def give0 = yield
def give1(a) = yield(a)
def give2(a, b) = yield(a, b)
def give3(a, b, c) = yield(a, b, c)
def give8 = yield(1, 2, 3, 4, 5, 6, 7, 8)
def give9 = yield(1, 2, 3, 4, 5, 6, 7, 8, 9)
def give12 = yield(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
give0 { |a, b| x = nil; p [a, b, x] } # => [nil, nil, nil]
give1(1) { |a, b| x ||= 0; p [a, b, x] } # => [1, nil, 0]
give1([1, 2, 3]) { |a, b| x = nil; p [a, b, x] } # => [1, 2, nil]
give1([1, 2]) { |a| p a } # => [1, 2]
give1([]) { |a, b| p [a, b] } # => [nil, nil]
give2(1, 2) { |a| x = nil; y = nil; p [a, x, y] } # => [1, nil, nil]
give2(1, 2) { p :none } # => :none
give3(1, 2, 3) { |a, b| z = nil; p [a, b, z] } # => [1, 2, nil]
give8 { |a, b, c, d, e, f, g, h| z = nil; p [a, h, z] } # => [1, 8, nil]
give8 { z = nil; p z } # => nil
give9 { |a, b, c, d, e, f, g, h, i| p [a, i] } # => [1, 9]
give12 { |a, *r| p r.size } # => 11
give12 { |a, b| z = nil; p [a, b, z] } # => [1, 2, nil]
give0 { |a| b = c = d = e = nil; p [a, b, c, d, e] } # => [nil, nil, nil, nil, nil]

# A local handed over as it is
def second(a, b)
  r = yield b
  b = yield b
  [a, b, r]
end
p second(1, 2) { |v| v + 1 } # => [1, 3, 3]
p(second(1, [5, 6]) { |v, w| w }) # => [1, 6, 6]
def shared(a, b)
  add = -> { a += 1 }
  yield b
  add.()
  [a, b]
end
p shared(1, 2) { |v| v += 50 } # => [2, 2]

# Counting loops that leave the small integers
big = 4611686018427387900
n = 0
i = big
while i < big + 10
  n += 1
  i += 1
end
p [n, i] # => [10, 4611686018427387910]
i = 0
i += 1 while i <= 2.5
p i # => 3
i = 0.5
n = 0
while i < 3
  n += 1
  i += 1
end
p [n, i] # => [3, 3.5]
i = 0
until i < 0 || i > 5
  i += 1
end
p i # => 6
i = 5
begin
  i += 1
end until i <= 8
p i # => 6
class Limit
  include Comparable
  def coerce(o) = [o, 3]
end
i = 0
while i < Limit.new
  i += 1
end
p i # => 3

# A receiver that stays where it is
def in_place(o)
  a = o.succ
  o = o.succ
  o.succ
  b = o.times { break 9 }
  c = o.then { |v| v + 1 }
  d = o.nowhere rescue $!.class
  o&.succ
  [a, o, b, c, d]
end
p in_place(1) # => [2, 2, 9, 3, NoMethodError]
def changed(o)
  r = o.then { o = 7; 1 }
  [o, r, o.succ]
end
p changed(1) # => [7, 1, 8]
class Ghost
  def method_missing(name, *args, **options) = [name, args, options]
  def respond_to_missing?(*) = true
end
def ghost(g) = [g.boo, g.boo { 1 }, g.then(&:boo)]
p ghost(Ghost.new) # => [[:boo, [], {}], [:boo, [], {}], [:boo, [], {}]]
