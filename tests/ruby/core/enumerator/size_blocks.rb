# The block or callable that tells an Enumerator's size is called as it is, with what the method is given: its self stays its own.
class Rows
  def initialize = @rows = [1, 2]

  def each(*, **) = @rows.each

  def other = [3].to_enum { @rows.size }
  def taken(*list, **opts) = to_enum(:each, *list, **opts) { |*a, **o| [a, o, @rows] }
  def made = Enumerator.new(-> { @rows.size }) { |y| y << 1 }
  def produced = Enumerator.produce(1, size: -> { @rows.size }) { _1 + 1 }
  def lazy = Enumerator::Lazy.new([1], -> { @rows.size }) { |y, v| y << v }
  def of_lazy = [1].lazy.to_enum(:each_slice, 2) { |n| [n, @rows] }
  def by_method = enum_for(:each, 5, &method(:told))
  def told(*list) = [:told, list]
end

rows = Rows.new
p rows.other.size, rows.made.size, rows.produced.size, rows.lazy.size
# => 2
# => 2
# => 2
# => 2
p rows.taken(1, 2, k: 3).size # => [[1, 2], {k: 3}, [1, 2]]
p rows.taken.size # => [[], {}, [1, 2]]
p rows.of_lazy.size # => [2, [1, 2]]
p rows.by_method.size # => [:told, [5]]
p [1].to_enum(:each, &:inspect).size rescue p $! # => #<ArgumentError: no receiver given>
p [1].to_enum(:each, 7, &:inspect).size # => "7"
callable = Object.new
def callable.call(*list) = list
p Enumerator.new(callable) { }.size # => []
p rows.other.with_index.size, [3].each_with_index.size
# => 2
# => 1
