# Short-lived objects of several shapes: plain objects, structs, arrays, strings, closures.
class Point
  attr_reader :x, :y

  def initialize(x, y)
    @x = x
    @y = y
  end

  def +(other)
    Point.new(@x + other.x, @y + other.y)
  end
end

class Box
  def initialize(low, high)
    @low = low
    @high = high
    @label = nil
    @area = nil
  end

  def area
    @area ||= (@high.x - @low.x) * (@high.y - @low.y)
  end

  def label = @label ||= "#{@low.x},#{@low.y}"
end

Pair = Struct.new(:key, :value)

class Chain
  include Enumerable

  Link = Struct.new(:value, :rest)

  def initialize
    @head = nil
  end

  def push(value)
    @head = Link.new(value, @head)
    self
  end

  def each
    link = @head
    while link
      yield link.value
      link = link.rest
    end
  end
end

n = (ARGV[0] || 600_000).to_i

sum = Point.new(0, 0)
n.times { |i| sum += Point.new(i, -i) }
puts "points: #{sum.x} #{sum.y}"

area = 0
labels = 0
n.times do |i|
  box = Box.new(Point.new(i % 10, 0), Point.new(20, i % 7))
  area += box.area
  labels += box.label.size if i % 16 == 0
end
puts "boxes: #{area} #{labels}"

best = Pair.new(nil, -1)
n.times do |i|
  pair = Pair.new(i, (i * 7919) % 10_007)
  best = pair if pair.value > best.value
end
puts "pairs: #{best.key} #{best.value}"

total = 0
(n / 2).times { |i| total += [i, i + 1, i + 2].map { |value| value & 15 }.sum }
puts "arrays: #{total}"

chain = Chain.new
(n / 4).times { |i| chain.push(i) }
puts "chain: #{chain.count(&:even?)} #{chain.first} #{chain.include?(17)}"

adders = (n / 4).times.map { |i| ->(x) { x + i } }
puts "closures: #{adders.sum { |adder| adder.call(1) }}"
