# A subclass, a singleton or a module with an `each` of its own: what comes from Enumerable goes by it, what is the class's own does not.
module Walk
  def each
    return to_enum(:each) unless block_given?
    yield 1
    yield 2
    yield 3
    self
  end
end

class Numbers < Array
  include Walk
  def each(&block) = Walk.instance_method(:each).bind_call(self, &block)
end

single = [5, 6]
def single.each
  yield 1
  yield 2
  yield 3
  self
end

prepended = Class.new(Array) { prepend Walk }.new([5, 6])

seen = [Numbers[5, 6], single, prepended].map do |list|
  got = []
  list.each_with_index { |x, i| got << [x, i] }
  list.each_slice(2) { |x| got << x }
  list.each_cons(2) { |x| got << x }
  list.each_entry { |x| got << x }
  folded = [list.inject(:+), list.reduce(4) { |a, b| a + b }, list.each_with_object([]) { |x, out| out << x }, list.find_all(&:odd?),
     list.filter_map { |x| x if x > 1 }, list.flat_map { |x| [x, x] }, list.partition(&:even?), list.group_by(&:odd?), list.tally,
     list.max_by { |x| x }, list.min_by { |x| x }, list.sort_by { |x| -x }, list.member?(3), list.entries] == [
       6, 10, [1, 2, 3], [1, 3], [2, 3], [1, 1, 2, 2, 3, 3], [[2], [1, 3]], { true => [1, 3], false => [2] },
       { 1 => 1, 2 => 1, 3 => 1 }, 3, 1, [3, 2, 1], true, [1, 2, 3]
     ]
  own = [list.map { |x| x }, list.select(&:even?), list.include?(3), list.to_a, list.first, list.sum, list.max, list.sort, list.reverse_each.to_a]
  [got, folded, own]
end
p seen.uniq.size, seen[0] # => 1
# => [[[1, 0], [2, 1], [3, 2], [1, 2], [3], [1, 2], [2, 3], 1, 2, 3], true, [[5, 6], [6], false, [5, 6], 5, 11, 6, [5, 6], [6, 5]]]

class Pairs < Hash
  def each
    return to_enum(:each) unless block_given?
    to_h.each { |k, v| yield [k, v + 1] }
    yield [:more, 0]
    self
  end

  def to_h = {}.merge(self)
end

pairs = Pairs[:a, 1]
p({ z: 0 }.merge(pairs), { z: 0 }.update(pairs) { raise }, pairs.to_h, pairs.transform_keys(&:to_s), pairs.any? { |k, v| v == 0 })
# => {z: 0, a: 1}
# => {z: 0, a: 1}
# => {a: 1}
# => {"a" => 1}
# => false
p pairs.map { |k, v| [k, v] }, pairs.count, pairs.max, pairs.min_by { |_, v| v }, pairs.sort, pairs.minmax, pairs.reverse_each.to_a
# => [[:a, 2], [:more, 0]]
# => 2
# => [:more, 0]
# => [:more, 0]
# => [[:a, 2], [:more, 0]]
# => [[:a, 2], [:more, 0]]
# => [[:more, 0], [:a, 2]]

fields = Class.new(Struct.new(:a, :b)) { include Walk; def each(&) = Walk.instance_method(:each).bind_call(self, &) }.new(5, 6)
p fields.select { true }, fields.max, fields.minmax, fields.sort, fields.to_a # => [5, 6]
# => 3
# => [1, 3]
# => [1, 2, 3]
# => [5, 6]
p((fields.slice_before(1) { } rescue $!.message)) # => "wrong number of arguments (given 1, expected 0)"
