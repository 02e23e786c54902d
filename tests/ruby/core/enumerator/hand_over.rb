# An enumerator over somebody's own each: its values go from the yield to the caller of next.
class Own
  def each
    yield 1
    yield 2, 3
    yield
    yield nil
    yield [4]
    yield a: 1
    [yield(5), :done]
  end
end

e = Own.new.to_enum
seen = []
7.times { seen << e.peek << e.peek << e.next }
p seen.each_slice(3).map(&:uniq) # => [[1], [[2, 3]], [nil], [nil], [[4]], [{a: 1}], [5]]
p((begin; e.peek; rescue StopIteration => s; [s.result, s.message, s.backtrace.size]; end)) # => [[nil, :done], "iteration reached an end", 2]
p((begin; e.next; rescue StopIteration => s; s.result; end)) # => [nil, :done]

e = Own.new.to_enum
p Array.new(7) { [e.peek_values, e.next_values].uniq } # => [[[1]], [[2, 3]], [[]], [[nil]], [[[4]]], [[{a: 1}]], [[5]]]

# Who peeks gets a copy of several values.
e = Own.new.to_enum
e.next
a, b, c = e.peek, e.peek, e.next
p a == c, a.equal?(b), b.equal?(c), e.next_values # => true
# => false
# => false
# => []

# What is fed is what the block returns next.
e = Own.new.to_enum
6.times { e.next }
p e.next, e.feed(9) # => 5
# => nil
p((e.feed(9) rescue $!.message)) # => "feed value already set"
p((begin; e.next; rescue StopIteration => s; s.result; end)) # => [9, :done]
p((begin; e.next; rescue StopIteration => s; s.result; end)) # => [9, :done]

# The end is raised where next is called.
def take(e) = e.next
e = [1].each_entry
take(e)
begin
  take(e)
rescue StopIteration => s
  puts s.backtrace.map { |l| l[/in.*/] } # => in 'Enumerator#next'
  # => in 'Object#take'
  # => in '<main>'
end

# What is raised on the way, and a new beginning.
def fails
  yield 1
  raise "on the way"
end
e = to_enum(:fails)
2.times { p e.next, (e.next rescue $!.message) } # => 1
# => "on the way"
# => 1
# => "on the way"

# The block is called from native code, by name, from another fiber, with a splat.
o = Object.new
def o.each(&b)
  [3, 1].sort_by { |x| b.call(x) || x }
  b.(4)
  b[5, 6]
  b.yield(*[7])
  [[8, 9]].each(&b)
  define_singleton_method(:hand, &b)
  hand(10)
  p b.arity, b.lambda?
end
e = o.to_enum
p Array.new(7) { e.next_values } # => [[3], [1], [4], [5, 6], [7], [[8, 9]], [10]]
p((e.next rescue $!.class)) # => -1
# => false
# => StopIteration
p [3, 2, 1].sort_by { |x| e = o.to_enum; e.next; e.peek; e.next + x } # => [1, 2, 3]

# One that walks another one, in a fiber of its own, in another thread.
def o.each
  inner = Own.new.to_enum
  loop { yield inner.next }
  :inner
end
e = o.to_enum
e.next
f = Fiber.new { Fiber.yield e.next; e.next }
p f.resume, f.resume, e.next # => [2, 3]
# => nil
# => nil
p Thread.new { e.next rescue $!.class }.value # => FiberError
p e.next, e.next, e.next # => [4]
# => {a: 1}
# => 5
p((begin; e.next; rescue StopIteration => s; s.result; end)) # => :inner

# An element that was looked at is the next one.
list = [1, 2]
e = list.each
p e.peek # => 1
list[0] = 9
p e.next, e.next # => 1
# => 2
list << 7
p e.next # => 7
p((begin; e.next; rescue StopIteration => s; s.result; end)) # => [9, 2, 7]

# Several threads at one Array's enumerator get elements of it, and reach its end no sooner than they have taken as many.
e = Array.new(16_001) { |i| i }.each
got = Array.new(4) { Thread.new { Array.new(4_000) { e.peek; e.next } } }.map(&:value)
p got.flatten.all? { |v| v.between?(0, 16_000) } # => true
e = Array.new(16_001) { |i| i }.each_with_index
got = Array.new(4) { Thread.new { Array.new(4_000) { e.peek; e.next } } }.map(&:value)
p got.flatten(1).all? { |v, i| v == i && v.between?(0, 16_000) } # => true

# A method of the same name is called like any other.
class Odd < Enumerator
  def next = "odd #{super}"
end
e = Odd.new { |y| y << 1 << 2 }
p e.next, e.next # => "odd 1"
# => "odd 2"
