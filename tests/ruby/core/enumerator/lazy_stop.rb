# What ends a lazy iteration early: from inside, from outside, nested, with ensure clauses on the way.
def source
  return to_enum(:source) unless block_given?
  i = 0
  loop { yield i += 1 }
ensure
  puts "left" if i
end
p source.lazy.map { |x| x * 2 }.first(2) # => left
# => [2, 4]
p source.lazy.take(0).to_a, source.lazy.take_while { |x| x < 3 }.map { |x| -x }.to_a # => left
# => []
# => [-1, -2]
l = source.lazy.select(&:even?).take(2)
p l.next, l.next, (l.next rescue $!.class) # => left
# => 2
# => 4
# => StopIteration
p source.lazy.flat_map { |x| (1..).lazy.map { |y| [x, y] }.first(2) }.first(3) # => left
# => [[1, 1], [1, 2], [2, 1]]
p source.lazy.zip((10..).lazy.map { |x| x }).first(2) # => left
# => [[1, 10], [2, 11]]
p source.lazy.take(3).take(2).each { |x| p x } # => 1
# => 2
# => left
# => nil
p((source.lazy.map { |x| x > 1 ? throw(:done, :out) : x }.to_a if false), catch(:done) { source.lazy.map { |x| x > 1 ? throw(:done, :out) : x }.to_a }) # => left
# => nil
# => :out

# A Proc that is called with a splat, a block or by send suspends like any other call.
pr = proc { |*a, &b| Fiber.yield(a, b&.call) ; a.sum }
f = Fiber.new { [pr.call(*[1, 2]) { :block }, pr.send(:call, 3), pr.__send__(:yield, *[4]), pr.public_send(:[], 5), send(:then) { pr.(6) }] }
p f.resume, f.resume, f.resume, f.resume, f.resume, f.resume # => [[1, 2], :block]
# => [[3], nil]
# => [[4], nil]
# => [[5], nil]
# => [[6], nil]
# => [3, 3, 4, 5, 6]
def lost(*) = raise("lost")
p((send(:lost, 1) rescue $!.backtrace.map { |l| l[/in.*/] })) # => ["in 'Object#lost'", "in '<main>'"]
p((1.send(:nothing, 2) rescue $!.message)) # => "undefined method 'nothing' for an instance of Integer"
p((send rescue $!.message), (1.send(nil) rescue $!.message)) # => "no method name given"
# => "nil is not a symbol nor a string"

# Steps behind one that gives one value at a time, and behind one that does not.
pairs = Enumerator.new { |y| y.yield 1, 2; y.yield [3, 4]; y << 5; y.yield }
p pairs.lazy.map { |a, b| [a, b] }.to_a, pairs.lazy.select { |a| a }.to_a # => [[1, 2], [3, 4], [5, nil], [nil, nil]]
# => [[1, 2], [3, 4], 5]
p pairs.lazy.take(2).map { |a, b| b }.to_a, pairs.lazy.to_a, pairs.lazy.reject { |a, b| b }.first(2) # => [2, 4]
# => [[1, 2], [3, 4], 5, nil]
# => [5, nil]
p [[1, 2], 3].lazy.map { |a, b| [a, b] }.select { |a, b| b.nil? }.map { |a| a }.to_a # => [[3, nil]]
p Enumerator::Lazy.new([1, 2]) { |y, v| y.yield v, v * 2 }.map { |a, b| a + b }.to_a # => [3, 6]
p [1, 2].lazy.each_with_index.map { |v, i| v * i }.take(2).entries, (1..3).lazy.with_index.select { |v, i| i > 0 }.first(1) # => [0, 2]
# => [[2, 1]]
p [[1, 2]].lazy.map(&:sum).to_a, [[1, 2]].lazy.map(&->(a) { a }).to_a, ([[1, 2]].lazy.map(&->(a, b) { a }).to_a rescue $!.class) # => [3]
# => [[1, 2]]
# => ArgumentError
list = [1]
def list.each = yield(1, 2)
p list.lazy.map { |a, b| b }.to_a, list.lazy.take(1).to_a # => [2]
# => [[1, 2]]
