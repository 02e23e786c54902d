# with_index and each_with_index from outside; Yielder#yield and <<; a Proc called with a splat where it suspends.
e = [:a, :b].each.with_index(5)
p e.peek, e.next, e.next_values, (e.next rescue $!.result) # => [:a, 5]
# => [:a, 5]
# => [:b, 6]
# => [:a, :b]
e = [:a, :b].each_with_index
p e.next_values, e.peek_values, e.peek.equal?(e.peek), e.next, (e.next rescue $!.result) # => [:a, 0]
# => [:b, 1]
# => false
# => [:b, 1]
# => [:a, :b]
p (1..2).each.with_index.next, 3.times.each_with_index.next, (1..).each.each_with_index.next # => [1, 0]
# => [0, 0]
# => [1, 0]
p (begin; e = 1.times.with_index(2); e.next; e.next; rescue StopIteration => s; s.result; end) # => 1
p [7].each.with_index(2**64).next, [7].each.with_index(1).with_index(2).next, [7].map.with_index.next # => [7, 18446744073709551616]
# => [[7, 1], 2]
# => [7, 0]
p [[1, 2]].each.with_index.next, [[1, 2]].each_with_index.next_values # => [[1, 2], 0]
# => [[1, 2], 0]

class Array
  alias old_each_with_index each_with_index
  def each_with_index
    return to_enum(:each_with_index) unless block_given?
    yield :own, :one
  end
end
p [3].each_with_index.next, [3].each.each_with_index.next # => [:own, :one]
# => [3, 0]
class Array
  alias each_with_index old_each_with_index
end
list = [1]
def list.each = yield(:single)
p list.to_enum.with_index.next, list.each_entry.next # => [:single, 0]
# => :single

e = Enumerator.new do |y|
  p y.yield(1, 2), (y << 3).equal?(y), y.yield, y.yield(*[4, 5]), y.<<(6).equal?(y)
  y << 7 << 8
  y.then { |z| z.yield 9 }
  [10].each(&y)
  :end
end
p e.next # => [1, 2]
e.feed :fed
p e.next # => 3
e.feed :ignored
p Array.new(7) { e.next_values } # => :fed
# => true
# => nil
# => nil
# => true
# => [[], [4, 5], [6], [7], [8], [9], [10]]
p((e.next rescue $!.result)) # => :end
