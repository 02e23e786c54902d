# External and internal enumerators, laziness and generators.
e = [1, 2, 3].each
p e.size, e.class
# => 3
# => Enumerator

fib = Enumerator.new do |y|
  a, b = 0, 1
  loop { y << a; a, b = b, a + b }
end
p fib.take(10), fib.lazy.select(&:even?).first(5), fib.each_with_index.first(2)
# => [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
# => [0, 2, 8, 34, 144]
# => [[0, 0], [1, 1]]
p fib.each_slice(3).first(2), fib.first, fib.size
# => [[0, 1, 1], [2, 3, 5]]
# => 0
# => nil

def numbers
  return to_enum(:numbers) unless block_given?

  yield 1
  yield 2, 3
  :done
end
p numbers.to_a, numbers.with_index(1).to_a, numbers.map { |a, b| [a, b] }
# => [1, [2, 3]]
# => [[1, 1], [[2, 3], 2]]
# => [[1, nil], [2, 3]]
p %w[a b c].each_with_index.to_a, %w[a b].each.with_index(1).map { |x, i| "#{i}#{x}" }, %w[a b].each.with_object(:o).to_a
# => [["a", 0], ["b", 1], ["c", 2]]
# => ["1a", "2b"]
# => [["a", :o], ["b", :o]]
p [1, 2, 3].map.with_index { |x, i| x * i }, [4, 5].each_with_index.map { |x, i| x + i }, [3, 4].select.with_index { |_, i| i == 0 }
# => [0, 2, 6]
# => [4, 6]
# => [3]
lazy = (1..Float::INFINITY).lazy
p lazy.map { |x| x * 2 }.select { |x| x % 3 == 0 }.reject(&:odd?).first(3), lazy.take_while { |x| x < 4 }.to_a, lazy.zip(lazy).first(2), lazy.flat_map { |x| [x, x] }.first(3), lazy.uniq { |x| x % 3 }.first(3)
# => [6, 12, 18]
# => [1, 2, 3]
# => [[1, 1], [2, 2]]
# => [1, 1, 2]
# => [1, 2, 3]
p (1..3).each_entry.to_a, (1..6).each_slice(4).size, "abc".each_char.to_a, 5.times.map { |x| x }, 3.upto(5).to_a, "ab".each_byte.to_a, "a\nb".each_line.to_a
# => [1, 2, 3]
# => 2
# => ["a", "b", "c"]
# => [0, 1, 2, 3, 4]
# => [3, 4, 5]
# => [97, 98]
# => ["a\n", "b"]
gen = Enumerator.produce(1) { |x| x * 3 }
p gen.take(4), gen.lazy.map { |x| x + 1 }.first(2), Enumerator.produce([0, 1]) { |a, b| [b, a + b] }.take(4).map(&:first)
# => [1, 3, 9, 27]
# => [2, 4]
# => [0, 1, 1, 2]
chain = [1, 2].each + [3]
p chain.to_a, ([1].each + [2].each).map { |x| x * 2 }, [1, 2].cycle.lazy.map { |x| x }.first(3)
# => [1, 2, 3]
# => [2, 4]
# => [1, 2, 1]
p e.inspect[0, 13] # => "#<Enumerator:"
log = []
(1..3).lazy.map { |x| log << x; x }.first(1)
p log, (1..3).sum.then { |s| s + 1 }, [1, 2].each_entry.size, loop { break 5 }
# => [1]
# => 7
# => 2
# => 5
