# Channels: queues of messages between VMs and threads.

ch = RubyVM::Channel.new
p ch.size # => 0
p ch.try_recv # => nil
ch << 1 << 2
ch.send(3)
p ch.size # => 3
p [ch.recv, ch.recv, ch.try_recv] # => [1, 2, 3]
p ch.recv(timeout: 0.01) # => nil

# A copy arrives, in the same VM too.
s = +"abc"
ch << s
copy = ch.recv
copy << "d"
p s # => "abc"

# Bounded: a sender waits for room.
small = RubyVM::Channel.new(1)
t = Thread.new { 3.times { |i| small << i }; :sent }
p Array.new(3) { small.recv } # => [0, 1, 2]
p t.value # => :sent
begin
  RubyVM::Channel.new(0)
rescue ArgumentError => e
  p e.message # => "capacity must be positive"
end

# Closing ends iteration, and sending.
ch << :last
ch.close
p ch.closed? # => true
p ch.each.to_a # => [:last]
begin
  ch << 1
rescue RubyVM::Channel::ClosedError => e
  p e.message # => "the channel is closed"
end
p RubyVM::Channel::ClosedError.superclass # => StopIteration

# A receiver that waits learns of the close.
ch = RubyVM::Channel.new
t = Thread.new { ch.recv rescue $!.class }
Thread.pass until t.stop?
ch.close
p t.value # => RubyVM::Channel::ClosedError

# Several at once.
a, b = RubyVM::Channel.new, RubyVM::Channel.new
b << :from_b
from, message = RubyVM::Channel.select(a, b)
p from == b, message # => true
# => :from_b
p RubyVM::Channel.select(a, b, timeout: 0.01) # => nil

# Channels through channels; work shared among VMs.
jobs, results = RubyVM::Channel.new, RubyVM::Channel.new
vms = Array.new(3) do |i|
  RubyVM.new("worker #{i}") { |j, r| j.each { |n| r << [n, n * n] } }.start(jobs, results)
end
20.times { |n| jobs << n }
jobs.close
vms.each(&:join)
p Array.new(20) { results.recv }.sort == Array.new(20) { |n| [n, n * n] } # => true

carrier = RubyVM::Channel.new
carrier << jobs
p carrier.recv == jobs # => true

# Interrupting one that waits.
t = Thread.new { a.recv }
t.report_on_exception = false
Thread.pass until t.stop?
t.raise(IOError, "enough")
p((t.value rescue $!.message)) # => "enough"
