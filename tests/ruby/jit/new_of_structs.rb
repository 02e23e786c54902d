# args: --jit=always
# `new` of Structs in compiled code: with fewer and with too many values, and while initialize, the class, or `new` change.
Pair = Struct.new(:left, :right)
Three = Struct.new(:a, :b, :c) do
  def sum = a + b + (c || 0)
end
Named = Struct.new(:x, :y, keyword_init: true)
Either = Struct.new(:x, :y)
class Sub < Pair; end

def pair(a, b) = Pair.new(a, b)
def three(a, b) = Three.new(a, b)
def none = Three.new
def named(x) = Named.new(x: x, y: 2)
def either(h) = Either.new(h)
def sub(a) = Sub.new(a, a)
def any(c, a) = c.new(a)

(GC.stress ? 20 : 500).times do |i|
  p = pair(i, "x")
  raise "pair" unless p.left == i && p.right == "x" && p.instance_of?(Pair) && !p.frozen?
  raise "three" unless three(i, 2).sum == i + 2 && three(i, 2).c.nil?
  raise "none" unless none.to_a == [nil, nil, nil]
  raise "named" unless named(i).to_a == [i, 2]
  raise "either" unless either({x: 1}).to_a == [{x: 1}, nil]
  raise "sub" unless sub(i).is_a?(Sub) && sub(i).left == i
  raise "any" unless any([Pair, Three, Sub, Either][i % 4], i).to_a.first == i
end
puts :plain
# => plain

def too_many(c) = c.new(1, 2, 3)
10.times { too_many(Three) }
begin
  too_many(Pair)
rescue ArgumentError => e
  puts e.message
end
# => struct size differs

class Pair
  def initialize(left, right) = super(right, left)
end
p pair(1, 2).to_a, sub(1).to_a
# => [2, 1]
# => [1, 1]

module Doubled
  def initialize(a, b) = super(a * 2, b * 2)
end
Three.prepend(Doubled)
p three(1, 2).to_a
# => [2, 4, nil]

def Either.new(*) = :other
p either(1)
# => :other

# Objects that live longer than a collection keep what they were made of.
kept = (0...50).map { |i| Named.new(x: "s#{i}", y: [i]) }
Plain = Struct.new(:text, :list)
def plain(i) = Plain.new("t#{i}", [i])
kept2 = (0...50).map { |i| plain(i) }
GC.start
p kept.all? { |n| n.x == "s#{n.y[0]}" }, kept2.each_with_index.all? { |n, i| n.text == "t#{i}" && n.list == [i] }
# => true
# => true
