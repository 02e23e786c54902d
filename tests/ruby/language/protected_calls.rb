# Whether a protected method may be called is asked at each call, however often the place of the call has made it.
class Account
  def initialize(sum) = @sum = sum
  def more?(other) = sum > other.sum
  def most(others) = others.map { |other| other.sum(1) { 2 } }
  def mine = self.sum
  def <=>(other) = key <=> other.key
  def ==(other) = other.value == 5
  def sum(*more, **named, &block) = @sum + more.sum + named.size + (block ? block.call : 0)
  protected :sum
  protected def key = @sum
  protected
  attr_reader :value
end

a = Account.new(1)
b = Account.new(2)
p 300.times.map { a.more?(b) }.uniq, 300.times.map { b.more?(a) }.uniq # => [false]
# => [true]
p 100.times.map { a.most([a, b]) }.uniq # => [[4, 5]]
p 100.times.map { a.mine }.uniq # => [1]
p 100.times.map { a <=> b }.uniq, 100.times.map { a == b }.uniq # => [-1]
# => [false]

# One place, with one self and then another.
def told = yield
ask = proc { |other| other.key }
tell = lambda do |who, other|
  who.instance_exec(other, &ask)
rescue NoMethodError => e
  e.message
end
p 300.times.map { tell.call(a, b) }.uniq # => [2]
p 300.times.map { tell.call("x", b) }.uniq # => ["protected method 'key' called for an instance of Account"]
p [tell.call(b, a), tell.call(nil, a), tell.call(a, a)] # => [1, "protected method 'key' called for an instance of Account", 1]

# A subclass may, another class that has a method of the name may not; a module's method asks for the module.
class Special < Account
  def of(other) = other.key
end
s = Special.new(7)
p 300.times.map { s.of(a) }.uniq, a.more?(s) # => [1]
# => false
module Shared
  def hand(other) = other.inner
  protected def inner = :inner
end
one = Class.new { include Shared }.new
two = Class.new { include Shared }.new
p 300.times.map { one.hand(two) }.uniq # => [:inner]
body = Shared.instance_method(:hand)
three = Class.new { define_method(:hand, body.bind(one).to_proc) }.new
p three.hand(two) # => :inner
four = Class.new { def hand(other) = other.inner }.new
p 100.times.map { four.hand(two) rescue $!.class }.uniq # => [NoMethodError]

# method_missing is asked, and what becomes public is public.
class Account
  def method_missing(name, *rest) = [name, rest]
  def respond_to_missing?(*) = true
end
p 100.times.map { "x".instance_exec(a, &ask) }.uniq # => [[:key, []]]
class Account
  public :key
end
p 100.times.map { "x".instance_exec(a, &ask) }.uniq # => [1]
p 100.times.map { tell.call(1, b) }.uniq # => [2]

# Operators.
class Guarded
  protected def <=>(other) = 1
  protected def [](other) = 2
  protected def !() = 3
  protected def +(other) = 4
end
g = Guarded.new
blocks = [proc { |o| o <=> 1 }, proc { |o| o[1] }, proc { |o| !o }, proc { |o| o + 1 }]
p 300.times.map { blocks.map { |b| g.instance_exec(g, &b) } }.uniq # => [[1, 2, 3, 4]]
p 300.times.map { blocks.map { |b| "x".instance_exec(g, &b) rescue $!.class } }.uniq # => [[NoMethodError, NoMethodError, NoMethodError, NoMethodError]]

# A method made of a block, short enough to be executed where it is called.
class Made
  define_method(:same) { |x| x }
  define_method(:one) { 1 }
  define_method(:get) { @value }
  define_method(:set) { |v| @value = v }
  define_method(:more) { |x| x > 2 ? x + 1 : x.succ.to_s }
  define_method(:me) { self }
  outer = 0
  define_method(:outer) { outer }
  define_method(:set_outer) { |v| outer = v }
  define_method(:early) { |v| return v if v; 2 }
end
m = Made.new
p 500.times.map { |i| [m.same(i) == i, m.one, m.set(i), m.get] == [true, 1, i, i] && m.me.equal?(m) }.uniq # => [true]
p 500.times.map { m.more(3) }.uniq, 500.times.map { m.more(1) }.uniq, m.more(4.5) # => [4]
# => ["2"]
# => 5.5
p 500.times.map { |i| m.set_outer(i); m.outer == i }.uniq # => [true]
p 500.times.map { |i| m.early(i) == i && m.early(nil) == 2 }.uniq # => [true]
p 300.times.map { (m.same(1, 2) rescue $!.message) }.uniq # => ["wrong number of arguments (given 2, expected 1)"]
class Made
  define_method(:one) { 2 }
end
p 3.times.map { m.one }.uniq # => [2]
