# args: --jit=always
# Methods of Enumerable hand on what `each` yields: one value as it is, an Array too, none and several as such. In loops, so that this
# is compiled.
N = GC.stress ? 2 : 300

class Pairs
  include Enumerable

  def initialize(*rows) = @rows = rows

  def each
    @rows.each { |row| yield(*row) }
    self
  end
end

class Singles < Pairs
  def each
    @rows.each { |row| yield row }
    self
  end
end

class Nothing < Pairs
  def each
    yield
    yield
    self
  end
end

pairs = Pairs.new([1, 2], [3], [[4, 5]], [], [nil])
singles = Singles.new([1, 2], [3], [[4, 5]], [], nil)
list = nil

N.times do
  list = [
    pairs.map { |*all| all }, pairs.map { |a| a }, pairs.map { |a, b| [a, b] }, pairs.map { |a, b = 7| [a, b] },
    singles.map { |*all| all }, singles.map { |a, b| [a, b] }
  ]
end
p(*list)
# => [[1, 2], [3], [[4, 5]], [], [nil]]
# => [1, 3, [4, 5], nil, nil]
# => [[1, 2], [3, nil], [4, 5], [nil, nil], [nil, nil]]
# => [[1, 2], [3, 7], [4, 5], [nil, 7], [nil, 7]]
# => [[[1, 2]], [[3]], [[[4, 5]]], [[]], [nil]]
# => [[1, 2], [3, nil], [[4, 5], nil], [nil, nil], [nil, nil]]

N.times do
  list = [
    pairs.flat_map { |*all| all }, pairs.filter_map { |a, b| b }, pairs.count { |a, b| b }, pairs.find_index { |a, b| a == 4 },
    pairs.all? { |a| a }, pairs.any? { |a, b| b == 5 }, pairs.none? { |*all| all.size > 2 }, pairs.count, pairs.count([1, 2])
  ]
end
p(*list)
# => [1, 2, 3, [4, 5], nil]
# => [2, 5]
# => 2
# => 2
# => false
# => true
# => true
# => 5
# => 1

N.times do
  list = [
    pairs.each_with_index.to_a, pairs.each_with_object(9).map { |a, b| [a, b] }, pairs.inject { |a, b| b || a },
    pairs.drop(3), pairs.first, pairs.each_slice(2).to_a, pairs.each_cons(4).to_a, pairs.sort_by { |v| v.to_s }, pairs.each_entry.to_a,
    pairs.min_by { |v| v.to_s }, pairs.max_by { |v| v.to_s }, pairs.minmax_by { |v| v.to_s }, pairs.zip([1, 2, 3, 4, 5]), pairs.take_while { |a| a },
    pairs.uniq { |*all| all.size }, pairs.one? { |a, b| b == 2 }
  ]
end
p(*list)
# => [[[1, 2], 0], [3, 1], [[4, 5], 2], [nil, 3], [nil, 4]]
# => [[[1, 2], 9], [3, 9], [[4, 5], 9], [nil, 9], [nil, 9]]
# => [4, 5]
# => [nil, nil]
# => [1, 2]
# => [[[1, 2], 3], [[4, 5], nil], [nil]]
# => [[[1, 2], 3, [4, 5], nil], [3, [4, 5], nil, nil]]
# => [nil, nil, 3, [1, 2], [4, 5]]
# => [[1, 2], 3, [4, 5], nil, nil]
# => nil
# => [4, 5]
# => [nil, [4, 5]]
# => [[[1, 2], 1], [3, 2], [[4, 5], 3], [nil, 4], [nil, 5]]
# => [[1, 2], 3, [4, 5]]
# => [[1, 2], 3, nil]
# => true

N.times do
  list = [
    Nothing.new.map { |*all| all }, Nothing.new.map { |a| a }, Nothing.new.count { |a| a.nil? }, Nothing.new.to_a,
    Nothing.new.all?, Nothing.new.any?, Nothing.new.none?, Nothing.new.find_index { |*all| all.empty? }
  ]
end
p(*list)
# => [[], []]
# => [nil, nil]
# => 2
# => [nil, nil]
# => false
# => false
# => true
# => 0

N.times { list = (1..4).map { |*all| all } + (1..3).each_slice(2).map { |a, b| [a, b] } + { a: 1 }.each_entry.map { |k, v| [k, v] } }
p(*list)
# => [1]
# => [2]
# => [3]
# => [4]
# => [1, 2]
# => [3, nil]
# => [:a, 1]
N.times { list = [(1..5).count { |n| n.odd? }, (1..5).sum { |n| n * n }, (1..5).inject { |a, b| a * b }, (1...1).map { |n| n }] }
p(*list)
# => 3
# => 55
# => 120
# => []
N.times { list = pairs.to_h { |a, b| [a, b] } }
p(*list)
# => [1, 2]
# => [3, nil]
# => [4, 5]
# => [nil, nil]

# Left in the middle.
N.times { list = [pairs.map { |a| break a }, pairs.each_with_index { |a, i| break a if i == 1 }, singles.map { |a, b| next b }] }
p(*list)
# => 1
# => 3
# => [2, nil, nil, nil, nil]

# Blocks as Procs and lambdas.
both = proc { |a, b| [a, b] }
one = lambda { |a| a }
N.times { list = [pairs.map(&both), singles.map(&both), (1..3).map(&one), singles.each_entry.map(&one)] }
p(*list)
# => [[1, 2], [3, nil], [4, 5], [nil, nil], [nil, nil]]
# => [[1, 2], [3, nil], [[4, 5], nil], [nil, nil], [nil, nil]]
# => [1, 2, 3]
# => [[1, 2], [3], [[4, 5]], [], nil]

# A Hash at the end is a value.
keyed = Class.new do
  include Enumerable

  def each
    yield({ a: 1 })
    yield 1, { b: 2 }
    yield(c: 3)
  end
end.new
N.times { list = [keyed.map { |*all, **rest| [all, rest] }, keyed.to_a, keyed.map { |a, b| b }] }
p(*list)
# => [[[{a: 1}], {}], [[1, {b: 2}], {}], [[{c: 3}], {}]]
# => [{a: 1}, [1, {b: 2}], {c: 3}]
# => [nil, {b: 2}, nil]
