# External iteration.

def try
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

e = [1, [2, 3], nil].each
p e.next, e.peek, e.next, e.next # => 1
# => [2, 3]
# => [2, 3]
# => nil
try { e.next } # => StopIteration: iteration reached an end
try { e.peek } # => StopIteration: iteration reached an end
begin
  e.next
rescue StopIteration => stop
  p stop.result # => [1, [2, 3], nil]
end
p e.rewind.next # => 1

o = Object.new
def o.each
  r = yield
  p r
  r = yield 1, 2
  p r
  yield [3]
  :result
end
e = o.to_enum
p e.next_values # => []
p e.peek_values # => nil
# => [1, 2]
e.next
p e.next_values # => nil
# => [[3]]
begin
  e.next
rescue StopIteration => stop
  p stop.result # => :result
end
e = o.to_enum
e.next
p e.feed(:fed) # => nil
try { e.feed(1) } # => TypeError: feed value already set
p e.next # => :fed
# => [1, 2]

e = Enumerator.new { |y| y << 1 << 2; y.yield 3, 4; :end }
p e.next, e.next, e.next # => 1
# => 2
# => [3, 4]
try { e.dup } # => TypeError: can't copy execution context
p loop { e.next } # => :end

# Two at once, nested, infinite, from other fibers.
a, b = "ab".each_char, (1..).each
p [a.next, b.next, a.next, b.next] # => ["a", 1, "b", 2]
gen = Enumerator.new { |y| inner = [1, 2, 3].each; loop { y << inner.next * 10 } }
p gen.next, gen.take(3), gen.next # => 10
# => [10, 20, 30]
# => 20
fib = Enumerator.produce([0, 1]) { |x, y| [y, x + y] }
p 10.times.map { fib.next.first } # => [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
err = Enumerator.new { raise "each time" }
2.times { try { err.next } } # => RuntimeError: each time
# => RuntimeError: each time
p Fiber.new { e = [7].each; e.next }.resume # => 7

# Lazy, chains, products, zip.
p (1..3).each.with_index(1).next # => [1, 1]
l = (1..Float::INFINITY).lazy.map { |x| x * 2 }.select { |x| x % 3 == 0 }
p l.next, l.peek, l.next # => 6
# => 12
# => 12
p (1..3).lazy.zip("a".."c", [9]).to_a # => [[1, "a", 9], [2, "b", nil], [3, "c", nil]]
c = ([1].each + [2]).to_enum
p c.next, c.next # => 1
# => 2
p (1..3).zip(4..6, "a".."b") # => [[1, 4, "a"], [2, 5, "b"], [3, 6, nil]]
p Enumerator.product([1, 2], [3]).to_enum.next # => [1, 3]
p (1..3).lazy.eager.class, (1..3).lazy.compact.to_a, (1..4).lazy.tally # => Enumerator
# => [1, 2, 3]
# => {1 => 1, 2 => 1, 3 => 1, 4 => 1}
p (1..3).lazy.to_enum(:with_index, 10).to_a # => [[1, 10], [2, 11], [3, 12]]
