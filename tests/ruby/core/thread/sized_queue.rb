# Thread::SizedQueue.
def try
  yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

try { SizedQueue.new(0) } # => ArgumentError: queue size must be positive
try { SizedQueue.new(-1) } # => ArgumentError: queue size must be positive
try { SizedQueue.new("1") } # => TypeError: no implicit conversion of String into Integer
q = SizedQueue.new(2)
p q.max, SizedQueue.superclass # => 2
# => Thread::Queue
q << 1 << 2
try { q.push(3, true) } # => ThreadError: queue full
p q.push(3, timeout: 0.001) # => nil
try { q.push(3, true, timeout: 1) } # => ArgumentError: can't set a timeout if non_block is enabled
p q.size # => 2

giver = Thread.new { q << 3; :given }
Thread.pass until giver.stop?
p q.num_waiting # => 1
p q.pop, giver.value, q.size # => 1
# => :given
# => 2

giver = Thread.new { q << 4 }
Thread.pass until giver.stop?
q.max = 3
giver.join
p q.size # => 3
try { q.max = 0 } # => ArgumentError: queue size must be positive

giver = Thread.new { q << 5 rescue $!.class }
Thread.pass until giver.stop?
q.close
p giver.value # => ClosedQueueError
p q.pop, q.pop, q.pop, q.pop # => 2
# => 3
# => 4
# => nil

q = SizedQueue.new(1)
q << :full
giver = Thread.new { q << :more; :given }
Thread.pass until giver.stop?
q.clear
p giver.value, q.pop # => :given
# => :more

# A bounded pipeline.
first = SizedQueue.new(3)
second = SizedQueue.new(3)
a = Thread.new { 300.times { |i| first << i }; first << nil }
b = Thread.new { while (x = first.pop) do second << x * 2 end; second << nil }
sum = 0
while (x = second.pop) do sum += x end
[a, b].each(&:join)
p sum # => 89700
