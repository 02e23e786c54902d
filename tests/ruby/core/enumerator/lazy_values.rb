# Several values yielded at once: the steps that take values get them apart, those that take an element get an Array.
pairs = Enumerator.new { |y| y.yield 1, 2; y << [3, 4]; y.yield }
p pairs.lazy.map { |*a| a }.to_a # => [[1, 2], [[3, 4]], [nil]]
p pairs.lazy.select { |*a| p a; true }.map { |*a| a }.to_a # => [[1, 2]]
# => [[3, 4]]
# => [nil]
# => [[1, 2], [[3, 4]], [nil]]
p pairs.lazy.reject { |a| a.nil? }.map { |*a| a }.to_a # => [[1, 2], [[3, 4]]]
p pairs.lazy.take(2).drop(0).compact.uniq.grep(Array).grep_v(String).take_while { true }.drop_while { false }.map { |*a| a }.to_a # => [[1, 2], [[3, 4]]]
p pairs.lazy.filter_map { |*a| a }.to_a, pairs.lazy.flat_map { |*a| a }.to_a # => [[1, 2], [[3, 4]], [nil]]
# => [1, 2, [3, 4], nil]
p pairs.lazy.take_while { |*a| a.size == 2 }.to_a, pairs.lazy.drop_while { |*a| a.size == 2 }.first # => [[1, 2]]
# => [3, 4]
p pairs.lazy.grep(Array) { |*a| a }.to_a # => [[[1, 2]], [[3, 4]]]
p pairs.lazy.select { true }.each { |*a| p a } # => [[1, 2]]
# => [[3, 4]]
# => [nil]
# => nil
p pairs.lazy.zip([5, 6]).map { |*a| a }.to_a # => [[[[1, 2], 5]], [[[3, 4], 6]], [[nil, nil]]]
p (1..).lazy.with_index(2).map(&->(x, i) { [i, x] }).first(2) # => [[2, 1], [3, 2]]
p (1..3).lazy.with_index(2) { |*a| p a }.to_a, (1..3).lazy.with_index.first # => [1, 2]
# => [2, 3]
# => [3, 4]
# => [1, 2, 3]
# => [1, 0]
p (1..2).lazy.flat_map { |x| [x].lazy.with_index }.map { |*a| a }.to_a # => [[[1, 0]], [[2, 0]]]
p Enumerator::Lazy.new(pairs) { |y, *a| y.yield(*a) }.map { |*a| a }.to_a # => [[1, 2], [[3, 4]], [nil]]
p Enumerator::Lazy.new(pairs.lazy.select { true }) { |y, *a| y << a }.to_a # => [[[1, 2]], [[3, 4]], [nil]]
# Aliases show their own name.
p (1..3).lazy.collect {}.find_all {}.filter {}.collect_concat {}.with_index # => #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: #<Enumerator::Lazy: 1..3>:collect>:find_all>:filter>:collect_concat>:with_index(0)>
p (1..3).lazy.each_with_index { |x, i| p [x, i] } # => [1, 0]
# => [2, 1]
# => [3, 2]
# => 1..3
# Arguments of each reach the source of a Lazy without steps.
class Counted
  include Enumerable
  def each(*args) = block_given? ? (yield args.size; self) : to_enum(:each, *args)
end
p Counted.new.lazy.each(4).first, Counted.new.lazy.each(6, 7).map { |x| x + 1 }.each(4, 5).to_a # => 1
# => [3]
# A chain is lazy when a link is.
evens = (10..).lazy.select(&:even?).take(3)
odds = (20..).lazy.select(&:odd?)
p (evens + odds).select { |x| x % 3 == 0 }.first(3), (evens + odds).class # => [12, 21, 27]
# => Enumerator::Lazy
p [1].chain(odds).first(2), ([1].each + odds).class, ([1].each + [2]).class # => [1, 21]
# => Enumerator::Lazy
# => Enumerator::Chain
steps = (evens + odds).map { |x| -x }
p steps.next, steps.peek, steps.next, steps.next, steps.next # => -10
# => -12
# => -12
# => -14
# => -21
p ([1].each + [2]).respond_to?(:next), Enumerator::Product.new.respond_to?(:peek) # => false
# => false
