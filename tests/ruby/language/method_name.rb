# __method__, caller labels' basics, method objects and parameters.
def outer = [__method__, [1].map { __method__ }.first]
p outer, __method__
# => [:outer, :outer]
# => nil
self.class.define_method(:dynamic) { __method__ }
p dynamic # => :dynamic
alias aliased outer
p aliased # => [:outer, :outer]
class K
  def m = __method__
  def self.s = __method__
  def with_ensure = (begin; 1; ensure; @name = __method__; end; @name)
  attr_accessor :x
end
p K.new.m, K.s, K.new.with_ensure
# => :m
# => :s
# => :with_ensure
p K.new.method(:x=).arity, K.instance_method(:m).parameters
# => 1
# => []
def all(a, b = 1, *c, d, e:, f: 2, **g, &h); end
p method(:all).parameters, method(:all).arity
# => [[:req, :a], [:opt, :b], [:rest, :c], [:req, :d], [:keyreq, :e], [:key, :f], [:keyrest, :g], [:block, :h]]
# => -4
p proc { |a, b| }.parameters, lambda { |a, b = 1| }.parameters, proc { |a, b| }.arity, proc { |*a| }.arity
# => [[:opt, :a], [:opt, :b]]
# => [[:req, :a], [:opt, :b]]
# => 2
# => -1
p :all.to_proc.arity, method(:puts).owner, [].method(:push).unbind.class
# => -2
# => Kernel
# => UnboundMethod
p method(:all).name, method(:outer).to_proc.call.first
# => :all
# => :outer
p K.instance_method(:m).bind(K.new).call # => :m
def self.single = __method__
p single # => :single
p (def defined_here; end) # => :defined_here
p method(:outer).source_location.last # => 2
p method(:outer) == method(:outer), method(:outer).eql?(method(:aliased)), method(:outer).hash == method(:outer).hash
# => true
# => true
# => true
m = 5.method(:+)
p m.call(3), [1, 2].map(&m), m.unbind.bind(7).call(1), m === 1
# => 8
# => [6, 7]
# => 8
# => 6
p 5.method(:+).to_proc.(1), %w[1 2].map(&method(:Integer)), m.curry.(2)
# => 6
# => [1, 2]
# => 7
