# args: --jit=always
# Attribute writers called from compiled code: new variables, other shapes and classes, frozen receivers, what no instance
# variables can be set of, receivers of other threads, a writer that is redefined.
class Point
  attr_accessor :x, :y, :z
end

class Named < Point
  attr_writer :name
  def label = "#{@name}:#{x}"
end

def fill(o, n)
  i = 0
  while i < n
    o.x = i
    o.y = o.x + 1
    i += 1
  end
  [o.x, o.y, o.z]
end

a = Point.new
3.times { p fill(a, 50) }
# => [49, 50, nil]
# => [49, 50, nil]
# => [49, 50, nil]

# Other shapes at the same site: the variables come in another order, and in another class.
b = Named.new
b.name = "n"
b.y = 7
p fill(b, 20), b.label
# => [19, 20, nil]
# => "n:19"

# The value of an assignment is its right side; the chain goes through both.
def chain(o, p) = o.x = p.y = o.z = [1]
r = nil
5.times { r = chain(a, b) }
p r, a.x.equal?(b.y), a.z.equal?(a.x) # => [1]
# => true
# => true

def adding
  o = Point.new
  o.z = 1
  o.y = 2
  o.x = 3
  o.instance_variables
end
5.times { adding }
p adding # => [:@z, :@y, :@x]

def count(o) = o.x += 1
def default(o) = o.z ||= 5
def safe(o) = o&.x = 9
a.x = 0
100.times { count(a) }
a.z = nil
5.times { default(a) }
p a.x, a.z, safe(nil), safe(a), a.x # => 100
# => 5
# => nil
# => 9
# => 9

# What raises finds the locals as they are.
def try(o, v)
  before = v + 1
  o.x = v
  before += 1
rescue FrozenError => e
  [e.class, e.receiver.equal?(o), before]
end
4.times { try(a, 1) }
frozen = Point.new.freeze
p try(a, 3), try(frozen, 4) # => 5
# => [FrozenError, true, 5]

class Integer; attr_writer :x; end
p try(5, 6) # => [FrozenError, true, 7]

def gone(o)
  o.x = 1
  o.remove_instance_variable(:@x)
  o.x = 2
  o.x
end
5.times { gone(a) }
p gone(a) # => 2

# Objects of one thread written by others; each thread its own variable.
shared = Point.new
done = [:x=, :y=, :z=].map do |m|
  Thread.new { 2000.times { |i| m == :x= ? shared.x = i : m == :y= ? shared.y = i : shared.z = i } }
end
done.each(&:join)
p [shared.x, shared.y, shared.z] # => [1999, 1999, 1999]

# What is written is reachable: old objects that point to new ones.
def keep(o) = o.x = "s" * 20
old = Array.new(50) { Point.new }
GC.start
GC.start
200.times { old.each { |o| keep(o) } }
GC.start
p old.map(&:x).uniq # => ["ssssssssssssssssssss"]

class Point
  def x=(v)
    @x = v * 10
  end
end
p fill(a, 3), count(b) # => [20, 21, 5]
# => 20
