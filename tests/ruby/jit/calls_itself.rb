# Methods that call themselves, in ways that another one of the same code could be called: under another name, by `super`, protected, private, redefined,
# of one object alone, and redefined by another thread meanwhile.
class A
  def f(n, k: 1) = n <= 0 ? [__method__, k] : f(n - 1, k: k + 1)
  def g(n) = n <= 0 ? __method__ : h(n - 1)
  alias h g
  protected def pr(n) = n <= 0 ? :done : pr(n - 1)
  def call(n) = pr(n)
  def o(n, x = n) = n <= 0 ? x : o(n - 1)
  def b(n, &blk) = n <= 0 ? blk.call(n) : b(n - 1) { |v| v + 1 }
  def r(n) = n < 2 ? n : r(n - 1) + r(n - 2)
  def s(n, *a) = n <= 0 ? a : s(n - 1, *a, n)
end
class B < A
  def r(n) = super
  def method_missing(name, *a) = [name, a]
end
a = A.new; b = B.new
ROUNDS = GC.stress ? 5 : 300
ROUNDS.times { a.f(20); a.g(20); a.call(20); a.o(20); a.b(20) { 1 }; a.r(8); a.s(8); b.r(6) }
p a.f(5), a.g(5), a.g(4), a.call(9) # => [:f, 6]
# => :g
# => :g
# => :done
p a.o(9), a.b(3) { |v| v }, a.r(15), a.s(3), b.r(12) # => 0
# => 1
# => 610
# => [3, 2, 1]
# => 144
class A; private :r; end
p a.send(:r, 15), (a.r(3) rescue $!.class) # => 610
# => NoMethodError
class A; def r(n) = n < 2 ? 1 : r(n - 1) + r(n - 2); end
p a.r(15) # => 987
class A; define_method(:z) { |n| n <= 0 ? :z : z(n - 1) }; end
ROUNDS.times { a.z(10) }
p a.z(4) # => :z
def a.r(n) = n < 2 ? 100 : r(n - 1) + r(n - 2)
p a.r(10), A.new.r(10) # => 8900
# => 89
th = Thread.new { (GC.stress ? 3 : 200).times { |i| A.class_eval("def q(n) = n <= 0 ? #{i} : q(n - 1)"); sleep 0.0005 } }
sleep 0.01
seen = []
seen << a.q(30) while th.alive?
p seen.each_cons(2).all? { |x, y| x <= y }, a.q(3) == (GC.stress ? 2 : 199) # => true
# => true
