# Procs, lambdas, Method objects: arity, parameters, composition, currying.
pr = proc { |a, b = 2, *c, d, e:, f: 6, **g, &h| }
la = lambda { |a, b = 2, *c, d, e:, f: 6, **g, &h| }
p pr.arity, la.arity, pr.lambda?, la.lambda?
p pr.parameters, la.parameters, pr.parameters(lambda: true) == la.parameters rescue p $!
p proc { |x| }.arity, proc { |x, y| }.arity, proc { |*x| }.arity, proc {}.arity, lambda { |x = 1| }.arity, proc { |x, y = 1| }.arity
p :upcase.to_proc.call("a"), :upcase.to_proc.lambda?, :upcase.to_proc.arity
add = ->(a, b, c) { a + b + c }
p add.curry[1][2][3], add.curry.(1, 2).(3), add.curry[1, 2, 3]
begin
  add.curry(2)
rescue ArgumentError => e
  puts e.message
end
p proc { |a, b| [a, b] }.curry[1][2], ->(*a) { a }.curry(2)[1][2]
double = ->(x) { x * 2 }
inc = ->(x) { x + 1 }
p (double >> inc).call(5), (double << inc).call(5), (double >> inc).lambda?, (proc { |x| x } << double).lambda?
p (method(:Integer) >> double).call("21"), (:to_s.to_proc >> :size.to_proc).call(123)
begin
  double >> 1
rescue TypeError => e
  puts e.message
end
m = 5.method(:+)
p m.call(3), m.to_proc.(4), m.owner, m.receiver, m.name, m.arity, [1, 2].map(&m)
um = m.unbind
p um.class, um.bind(7).call(1), um.bind_call(8, 1), um.name
begin
  um.bind("x")
rescue TypeError => e
  puts e.message
end
class Base; def go(a, b = 1) = [:base, a, b]; end
class Derived < Base; def go(a, b = 2) = super; alias went go; end
d = Derived.new
p d.method(:go).super_method.call(1), d.method(:go).super_method.super_method, d.method(:went).name, d.method(:went).original_name
p d.method(:go) == d.method(:go), d.method(:go).eql?(Derived.new.method(:go)), d.method(:go).hash == d.method(:go).hash
p d.method(:go).parameters, d.method(:go).source_location.last, d.method(:go).owner
begin
  d.method(:nothing)
rescue NameError => e
  p e.name
end
def takes_block(&b) = b
p takes_block, takes_block {}.lambda?, takes_block(&double).equal?(double)
p proc { |a, (b, c), *d| [a, b, c, d] }.call(1, [2, 3], 4), proc { |a, b| [a, b] }.call([1, 2]), double === 4, double.(4), double[4], double.yield(4)
def ret = [1, 2].each { |x| return x }
p ret
p lambda(&double).equal?(double), proc { return 1 }.lambda?
begin
  lambda { |x| x }.call
rescue ArgumentError => e
  puts e.message
end
counter = 0
up = -> { counter += 1 }
3.times(&up) rescue 3.times { up.call }
p counter
p binding.local_variable_get(:counter), binding.local_variable_defined?(:nope), up.binding.local_variable_get(:counter)
def meth_name = __method__
alias other_name meth_name
p meth_name, other_name
p block_given?, (def bg = block_given?; bg {}), bg
Class.new { define_method(:x) { |a, k: 1| [a, k] } }.new.then { |o| p o.x(1), o.x(1, k: 2), o.method(:x).arity }
p Proc.new { |x| x }.call(3), Class.new(Proc).new { 1 }.class.superclass
begin
  Proc.new
rescue ArgumentError => e
  puts e.message
end

# => -4
# => -4
# => false
# => true
# => [[:opt, :a], [:opt, :b], [:rest, :c], [:opt, :d], [:keyreq, :e], [:key, :f], [:keyrest, :g], [:block, :h]]
# => [[:req, :a], [:opt, :b], [:rest, :c], [:req, :d], [:keyreq, :e], [:key, :f], [:keyrest, :g], [:block, :h]]
# => true
# => 1
# => 2
# => -1
# => 0
# => -1
# => 1
# => "A"
# => true
# => -2
# => 6
# => 6
# => 6
# => wrong number of arguments (given 2, expected 3)
# => [1, 2]
# => [1, 2]
# => 11
# => 12
# => true
# => true
# => 42
# => 3
# => callable object is expected
# => 8
# => 9
# => Integer
# => 5
# => :+
# => 1
# => [6, 7]
# => UnboundMethod
# => 8
# => 9
# => :+
# => bind argument must be an instance of Integer
# => [:base, 1, 1]
# => nil
# => :went
# => :go
# => true
# => false
# => true
# => [[:req, :a], [:opt, :b]]
# => 35
# => Derived
# => :nothing
# => nil
# => false
# => true
# => [1, 2, 3, [4]]
# => [1, 2]
# => 8
# => 8
# => 8
# => 8
# => 1
# => true
# => false
# => wrong number of arguments (given 0, expected 1)
# => 3
# => 3
# => false
# => 3
# => :meth_name
# => :meth_name
# => false
# => true
# => false
# => [1, 1]
# => [1, 2]
# => -2
# => 3
# => Proc
# => tried to create Proc object without a block
