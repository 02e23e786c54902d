# dup and clone: contents, singleton methods, frozen state, initialize_copy.
class Point
  attr_accessor :x, :tags
  def initialize(x) = (@x = x; @tags = [])
  def initialize_copy(other)
    @tags = other.tags.dup
  end
end
a = Point.new(1)
a.tags << :a
def a.special = :special
b = a.dup
c = a.clone
b.tags << :b
p a.tags, b.tags, b.x
p b.respond_to?(:special), c.special
p a.freeze.dup.frozen?, a.clone.frozen?, a.clone(freeze: false).frozen?
p 1.dup, :a.clone, nil.dup, 1.5.clone
begin
  1.clone(freeze: false)
rescue ArgumentError => e
  puts e.message
end
begin
  a.clone(freeze: 1)
rescue ArgumentError => e
  puts e.message
end
class Sub < Array; def hello = :hello; end
s = Sub[1, 2]
s.instance_variable_set(:@iv, 3)
t = s.dup
p t.class, t, t.hello, t.instance_variable_get(:@iv)
K = Class.new(Point) { def self.make = new(9); def y = 1; Z = 5 }
L = K.clone
p L.make.x, L.new(1).y, L.name, L.instance_methods(false)
M = Module.new { def m = :m }
N = M.dup
p Class.new { include N }.new.m
class Opt
  def initialize_clone(o, freeze: nil) = p([:clone, freeze])
end
Opt.new.clone
Opt.new.clone(freeze: true)
p Object.new.method(:itself).clone.call.class

# => [:a]
# => [:a, :b]
# => 1
# => false
# => :special
# => false
# => true
# => false
# => 1
# => :a
# => nil
# => 1.5
# => can't unfreeze Integer
# => unexpected value for freeze: Integer
# => Sub
# => [1, 2]
# => :hello
# => 3
# => 9
# => 1
# => "L"
# => [:y]
# => :m
# => [:clone, nil]
# => [:clone, true]
# => Object
