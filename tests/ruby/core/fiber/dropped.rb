# parallel: no, it measures the process's memory
# Fibers that nobody goes on with, suspended inside of native methods: what those hold outside the heap is given back, and no
# Ruby code runs.

class Slow
  def to_s = (Fiber.yield; "slow")
  def to_str = (Fiber.yield; "slow")
  def inspect = (Fiber.yield; "slow")
  def hash = (Fiber.yield; 1)
end

BIG = "a" * 100_000
LIST = (1..5_000).to_a

def guarded
  yield
rescue Exception
  puts "rescued"
ensure
  puts "ensured"
end

KINDS = [
  -> { format("%s %s", BIG, Slow.new) },
  -> { [BIG, Slow.new].inspect },
  -> { [BIG, Slow.new].join(",") },
  -> { [BIG, Slow.new].pack("A*A*") },
  -> { LIST.sort { |a, b| guarded { Fiber.yield }; a <=> b } },
  -> { eval("Fiber.yield\n" + "1 + 2;" * 500) },
  -> { [1, 2].sort { [BIG, Slow.new].inspect } },
  # A fiber that a dropped one waits for.
  -> { inner = Fiber.new { [BIG, Slow.new].inspect }; [1, 2].sort { inner.resume; Fiber.yield } },
]

def drop(count) = count.times { |i| Fiber.new { guarded(&KINDS[i % KINDS.size]) }.resume }

def growth
  sizes = Array.new(6) do
    yield
    3.times { GC.start }
    File.read("/proc/self/status")[/VmRSS:\s*(\d+)/, 1].to_i
  end
  sizes.last - sizes[1]
end

small = ->(grown) { grown < 40_000 || "#{grown} KiB" }

# Collected.
p small[growth { drop(160) }] # => true

# Left behind by threads that end, or that are killed.
p small[growth { Thread.new { drop(160) }.join }] # => true
kept = []
p small[growth { Thread.new { kept << Fiber.new(&KINDS[0]).tap(&:resume); drop(159); Thread.exit }.join }] # => true
p kept[0].alive? # => true
begin
  kept[0].resume
rescue FiberError => e
  puts e.message
end
# => fiber called across threads

# Left behind by VMs that end.
p small[growth {
  RubyVM.new("pinned") do
    big = "a" * 100_000
    slow = Object.new
    def slow.inspect = (Fiber.yield; "slow")
    80.times { Fiber.new { begin; [big, slow].inspect; ensure; puts "ensured"; end }.resume }
  end.start.join
}] # => true

# A stream that a lost fiber was reading can be read by others.
class Waits
  def io_wait(_io, events, _timeout) = (Fiber.yield; events)
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def block(...) = nil
  def unblock(...) = nil
  def kernel_sleep(...) = nil
  def fiber_interrupt(...) = nil
  def close = nil
end
reader, writer = IO.pipe
Thread.new do
  Fiber.set_scheduler(Waits.new)
  Fiber.schedule { guarded { reader.gets } }
end.join
writer.puts "line"
p Thread.new { reader.gets }.join(10)&.value # => "line\n"

# One that it was writing can be written to.
reader, writer = IO.pipe
Thread.new do
  Fiber.set_scheduler(Waits.new)
  Fiber.schedule { guarded { writer.write("x" * 200_000) } }
end.join
size = Thread.new { reader.read.size }
Thread.new { writer.close }.join(10)
p size.join(10)&.value # => 200000

# A file that it was loading can be loaded.
require "tmpdir"
Dir.mktmpdir do |dir|
  File.write("#{dir}/halfway.rb", "Fiber.yield if Fiber.current.blocking? == false && !$again\n$loaded = true\n")
  Thread.new { Fiber.new { guarded { require "#{dir}/halfway" } }.resume }.join
  $again = true
  p Thread.new { require "#{dir}/halfway" }.join(10)&.value, $loaded # => true
  # => true
end

# The finalizers that it was running go on.
def mortal(&block) = 20.times { ObjectSpace.define_finalizer(Object.new, block) }
Thread.new do
  Fiber.new { guarded { mortal { Fiber.yield rescue FiberError }; loop { GC.start } } }.resume
end.join
ran = false
mortal { ran = true }
10.times { GC.start }
p ran # => true

# Fibers that waited through the scheduler of a thread that has ended are not kept for that.
class Sleeps < Waits
  def block(...) = Fiber.yield
  def kernel_sleep(...) = Fiber.yield
end
20.times do
  Thread.new do
    Fiber.set_scheduler(Sleeps.new)
    queue, mutex, condition = Queue.new, Mutex.new, ConditionVariable.new
    3.times { Fiber.schedule { queue.pop } }
    Fiber.schedule { mutex.synchronize { condition.wait(mutex) } }
    Fiber.schedule { RubyVM::Channel.new.recv }
    Fiber.schedule { Thread.new { sleep 0.01 }.join }
  end.join
end
GC.start
left = ObjectSpace.each_object(Fiber).count
p left < 60 || left # => true

# A weak reference may lead to one when it is over.
weak = ObjectSpace::WeakMap.new
20.times { |i| weak[i.to_s] = Fiber.new { [1, 2].sort { Fiber.yield } }.tap(&:resume) }
GC.start
ended = ObjectSpace.each_object(Fiber).reject(&:alive?)
p ended.all? { |f| (f.resume; false) rescue $!.message == "attempt to resume a terminated fiber" } # => true

# At the end of the process nothing happens.
drop(20)
