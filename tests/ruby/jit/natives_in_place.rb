# args: --jit=always
# parallel: no, methods of core classes are redefined
# Native methods that compiled code executes itself: other operands, redefinition, frozen objects, objects of other threads.
S = Struct.new(:a, :b)
def get(s) = s.b
def set(s, v) = s.b = v
def succ(x) = x.succ
def pred(x) = x.pred
def even(x) = x.even?
def odd(x) = x.odd?
def zero(x) = x.zero?
def order(a, b) = a <=> b
def root(x) = Math.sqrt(x)
def first(x) = x.first
def firsts(x, n) = x.first(n)
def last(x) = x.last
def byte(s, i) = s.getbyte(i)
def a?(x, c) = x.is_a?(c)
def push(s, x) = s << x
def store(h, k, v) = h[k] = v

s = S.new(1, 2)
(GC.stress ? 20 : 300).times do |i|
  raise "struct" unless set(s, i) == i && get(s) == i
  raise "integer" unless succ(i) == i + 1 && pred(i) == i - 1 && even(i) == (i % 2 == 0) && odd(i) != even(i) && zero(i) == (i == 0)
  raise "order" unless order(i, 150) == (i < 150 ? -1 : i == 150 ? 0 : 1)
  raise "root" unless root(i.to_f * i) == i
  raise "array" unless first([i, 2]) == i && last([1, i]) == i && firsts([i, 1, 2], 2) == [i, 1]
  raise "byte" unless byte("a\xff", 1) == 255
  raise "is_a?" unless a?(i, Integer) && a?(i, Comparable) && !a?(i, String)
  raise "push" unless push(+"a", "b") == "ab"
  raise "store" unless store({}, "k", i) == i
end
puts :plain
# => plain

big = 2**62 - 1
p succ(big), pred(-big - 1), succ("az"), even(2**70), zero(0.0), order(1.5, 1), order(1, "a"), order("a", "b")
# => 4611686018427387904
# => -4611686018427387905
# => "ba"
# => true
# => true
# => 1
# => nil
# => -1
p root(4), root(-0.0), root(2**80), root(2.25r)
# => 2.0
# => 0.0
# => 1099511627776.0
# => 1.5
begin
  root(-1.0)
rescue Math::DomainError => e
  puts e.message
end
# => Numerical argument is out of domain - sqrt
p root(Float::NAN).nan?, root(Float::INFINITY)
# => true
# => Infinity
p first([]), last([]), first(1..3), last({a: 1}.to_a), byte("a", 5), byte("ab", -1)
# => nil
# => nil
# => 1
# => [:a, 1]
# => nil
# => 98
begin
  a?(1, 2)
rescue TypeError => e
  puts e.message
end
# => class or module required

begin
  set(s.dup.freeze, 1)
rescue FrozenError => e
  puts e.message[/.*? S/]
end
# => can't modify frozen S
begin
  push("x".freeze, "y")
rescue FrozenError => e
  puts e.message
end
# => can't modify frozen String: "x"
p push(+"x", 65), push([1], 2), push(1, 3)
# => "xA"
# => [1, 2]
# => 8
text = +"abc"
store(text, 1, "ZZ")
h = {}
store(h, [1, 2], 3)
store(h, +"key", 4)
list = []
store(list, 2, 5)
p text, h, h.keys.last.frozen?, list
# => "aZZc"
# => {[1, 2] => 3, "key" => 4}
# => true
# => [nil, nil, 5]

# Another thread's Struct, which both write to.
other = Thread.new { S.new([], 0) }.value
20.times { |i| set(other, i) }
t = Thread.new { 50.times { |i| set(other, i.to_s) } }
50.times { |i| set(other, [i]) }
t.join
p other.b.class == Array || other.b == "49"
# => true
# What a Struct that has lived long is given is kept.
old = Array.new(50) { S.new(1, nil) }
2.times { GC.start }
old.each_with_index { |x, i| set(x, "text#{i}") }
GC.start
p old.each_with_index.all? { |x, i| get(x) == "text#{i}" }
# => true

class S
  def b = :own
end
p get(s), set(s, 1)
# => :own
# => 1
module Marked; end
Object.include(Marked)
p a?(1, Marked), a?("s", Marked), a?(S, Marked)
# => true
# => true
# => true
class Integer
  def succ = :succ
  def even? = :even
  def <=>(other) = :order
end
module Math
  def self.sqrt(x) = :root
end
class Array
  def first = :first
end
class String
  def getbyte(i) = :byte
  def <<(other) = :pushed
end
class Hash
  alias old_set []=
  def []=(k, v)
    old_set(k, :changed)
  end
end
h = {}
store(h, 1, 2)
p succ(1), even(2), order(1, 2), root(4.0), first([1]), byte("a", 0), push(+"x", "y"), h
# => :succ
# => :even
# => :order
# => :root
# => :first
# => :byte
# => :pushed
# => {1 => :changed}
