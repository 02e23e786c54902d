# Comparable from <=>, Enumerable from each.
class Version
  include Comparable
  attr_reader :parts

  def initialize(text) = @parts = text.split(".").map(&:to_i)
  def <=>(other) = other.is_a?(Version) ? parts <=> other.parts : nil
  def to_s = parts.join(".")
  def inspect = "v#{self}"
  def succ = Version.new([*parts[0...-1], parts.last + 1].join("."))
end
a, b, c = %w[1.2 1.10 2.0].map { |text| Version.new(text) }
p a < b, b >= c, a == Version.new("1.2"), a != b
# => true
# => false
# => true
# => true
p b.between?(a, c), a.clamp(b, c), [c, a, b].sort, [c, a, b].max, [c, b, a].minmax
# => true
# => v1.10
# => [v1.2, v1.10, v2.0]
# => v2.0
# => [v1.2, v2.0]
begin
  a < 1
rescue ArgumentError => e
  puts e.message # => comparison of Version with 1 failed
end
p (Version.new("1.1")..Version.new("1.4")).to_a # => [v1.1, v1.2, v1.3, v1.4]

class Tree
  include Enumerable
  def initialize(*values) = @values = values
  def each
    return to_enum(:each) { @values.size } unless block_given?

    @values.each { |value| yield value }
    self
  end
end
t = Tree.new(3, 1, 2)
p t.sort, t.map { |x| x * 2 }, t.select(&:odd?), t.reject(&:odd?), t.include?(2)
# => [1, 2, 3]
# => [6, 2, 4]
# => [3, 1]
# => [2]
# => true
p t.min, t.max, t.sum, t.inject(:*), t.reduce(10) { |s, x| s + x }, t.count, t.first, t.first(2)
# => 1
# => 3
# => 6
# => 6
# => 16
# => 3
# => 3
# => [3, 1]
p t.to_a, t.entries, t.sort_by { |x| -x }, t.min_by { |x| (x - 2).abs }, t.partition { |x| x > 1 }
# => [3, 1, 2]
# => [3, 1, 2]
# => [3, 2, 1]
# => 2
# => [[3, 2], [1]]
p t.each_with_index.to_a, t.each_slice(2).to_a, t.each_cons(2).to_a, t.zip([7, 8, 9])
# => [[3, 0], [1, 1], [2, 2]]
# => [[3, 1], [2]]
# => [[3, 1], [1, 2]]
# => [[3, 7], [1, 8], [2, 9]]
p t.group_by(&:odd?).to_a, t.each_with_object([]) { |x, all| all.unshift(x) }
# => [[true, [3, 1]], [false, [2]]]
# => [2, 1, 3]
p t.find { |x| x < 3 }, t.find_index(1), t.take_while { |x| x != 1 }, t.drop_while { |x| x != 1 }
# => 1
# => 1
# => [3]
# => [1, 2]
p t.all? { |x| x > 0 }, t.any?(5), t.none?, t.one? { |x| x == 1 }, t.tally.to_a
# => true
# => false
# => false
# => true
# => [[3, 1], [1, 1], [2, 1]]
p t.each_entry.to_a, t.flat_map { |x| [x] * x }, t.chunk_while { |x, y| y == x + 1 }.to_a
# => [3, 1, 2]
# => [3, 3, 3, 1, 2, 2]
# => [[3], [1, 2]]
p t.lazy.map { |x| x + 1 }.select(&:even?).to_a, t.each.size, t.reverse_each.to_a
# => [4, 2]
# => 3
# => [2, 1, 3]
p t.inject { |x, y| x - y }, t.uniq, t.to_h { |x| [x, x.to_s] }.to_a, t.cycle.first(5), t.minmax
# => 0
# => [3, 1, 2]
# => [[3, "3"], [1, "1"], [2, "2"]]
# => [3, 1, 2, 3, 1]
# => [1, 3]
p t.filter_map { |x| x * 2 if x > 1 }, t.sum(0.0), t.each_with_index.map { |x, i| x * i }
# => [6, 4]
# => 6.0
# => [0, 1, 4]
