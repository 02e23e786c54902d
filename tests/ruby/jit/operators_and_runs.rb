# args: --jit=always
# Operators of what are no fixnums, by the methods that sites remember; runs of instructions that the interpreter executes.

MASK = (1 << 64) - 1
def mix(x)
  x ^= (x << 13) & MASK
  x ^= x >> 7
  x ^= (x << 17) & MASK
  x | 1
end
x = 88172645463325252
1000.times { x = mix(x) }
p x
# => 17556750356199528327

def grow(n, by) = n * by + by - 1
n = 3
30.times { n = grow(n, 1000) }
p n % 1_000_007, n.bit_length
# => 891025
# => 301

class Version
  attr_reader :n, :asked
  def initialize(n)
    @n = n
    @asked = 0
  end

  def ==(other)
    @asked += 1
    n == other.n
  end
end

def differ?(a, b) = a != b
a, b = Version.new(1), Version.new(2)
p 50.times.count { |i| differ?(a, i.even? ? b : a) }, a.asked
# => 25
# => 50

def kind(s)
  case s
  when /\A\d+\z/ then :number
  when /\A(\w)/ then $1
  when 1..3 then :few
  when Integer then :integer
  when :a, nil then :immediate
  else :other
  end
end
p [*["12", "word", "-", 2, 7, :a, nil, :b] * 4].map { |s| kind(s) }.last(8)
# => [:number, "w", :other, :few, :integer, "a", :immediate, "b"]

class Stubborn
  def to_s = raise("no text")
end

def text(a, b, c)
  first = "#{a}-#{b}"
  second = { first.to_sym => [a, *b], **c }
  "#{first}: #{second}"
rescue => e
  [first, second, e.message]
end

20.times { |i| text(i, [i], { x: i }) }
puts text(1, [2], { y: 3 })
# => 1-[2]: {"1-[2]": [1, 2], y: 3}
p text(1, Stubborn.new, {})
# => [nil, nil, "no text"]
p text(1, 2, 3)[1, 2]
# => [nil, "no implicit conversion of Integer into Hash"]

class Base
  def hear(name, *args, **rest, &block) = [name, args, rest, block&.call]
end

class Heir < Base
  def hear(name, *args, **rest, &block)
    label = "#{name}!"
    super(label, *args, extra: 1, **rest, &block)
  end
end
heir = Heir.new
r = nil
30.times { |i| r = heir.hear("n#{i}", i, k: i) { i * 2 } }
p r
# => ["n29!", [29], {extra: 1, k: 29}, 58]

def swap(pair)
  a, (b, *c) = pair
  [c, b, a]
end
p Array.new(10) { |i| swap([i, [i + 1, i + 2]]) }.last, swap([1]), swap(nil)
# => [[11], 10, 9]
# => [[], nil, 1]
# => [[], nil, nil]
