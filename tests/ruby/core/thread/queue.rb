# Thread::Queue.
def try
  yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

q = Queue.new
p Queue.equal?(Thread::Queue) # => true
p q.empty?, q.size, q.length, q.num_waiting # => true
# => 0
# => 0
# => 0
p (q << 1).equal?(q), q.push(2).equal?(q), q.enq(3).equal?(q) # => true
# => true
# => true
p q.size, q.pop, q.shift, q.deq, q.empty? # => 3
# => 1
# => 2
# => 3
# => true
try { q.pop(true) } # => ThreadError: queue empty
p Queue.new([1, 2, 3]).size # => 3
p Queue.new(1..3).pop # => 1
try { Queue.new(1) } # => TypeError: can't convert Integer into Array
q << 1 << 2
p q.clear.equal?(q), q.size # => true
# => 0
p q.pop(timeout: 0) # => nil
p q.pop(timeout: 0.001) # => nil
try { q.pop(true, timeout: 1) } # => ArgumentError: can't set a timeout if non_block is enabled
p q.frozen? # => false

# Waiting.
taker = Thread.new { q.pop }
Thread.pass until taker.stop?
p q.num_waiting # => 1
q << :item
p taker.value # => :item
p q.num_waiting # => 0
taker = Thread.new { q.pop(timeout: 30) }
Thread.pass until taker.stop?
q << :in_time
p taker.value # => :in_time

# Closing lets those who wait go, and what is in it can still be taken.
takers = 3.times.map { Thread.new { q.pop } }
Thread.pass until takers.all?(&:stop?)
p q.closed? # => false
q.close
p takers.map(&:value) # => [nil, nil, nil]
p q.closed? # => true
try { q << 1 } # => ClosedQueueError: queue closed
p ClosedQueueError.superclass # => StopIteration
q = Queue.new([1])
q.close
p q.pop, q.pop # => 1
# => nil
try { q.pop(true) } # => ThreadError: queue empty

# An interrupt ends the wait and loses no item.
q = Queue.new
taker = Thread.new { q.pop rescue $!.message }
Thread.pass until taker.stop?
taker.raise "enough"
p taker.value # => "enough"
q << :left
p q.pop # => :left

# Many producers and consumers: every item arrives once, in the order of its producer.
q = Queue.new
producers = 4.times.map { |id| Thread.new { 500.times { |i| q << [id, i] } } }
consumers = 4.times.map { Thread.new { list = []; while (x = q.pop) do list << x end; list } }
producers.each(&:join)
q.close
lists = consumers.map(&:value)
p lists.sum(&:size) # => 2000
p lists.flatten(1).sort == 4.times.flat_map { |id| 500.times.map { |i| [id, i] } } # => true
p lists.all? { |l| 4.times.all? { |id| mine = l.select { _1[0] == id }; mine == mine.sort } } # => true
