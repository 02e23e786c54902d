# args: --no-parallel
# parallel: no, the mode is the whole process's
# One thread runs at a time, and is interrupted at calls and backward jumps: `n += 1` is one step, as with a global lock.
require "monitor"

class Counter
  attr_reader :n
  def initialize = @n = 0
  def add = @n += 1
end

counter = Counter.new
8.times.map { Thread.new { 20_000.times { counter.add } } }.each(&:join)
p counter.n # => 160000

# Threads that compute take turns; nobody starves.
stop = false
turns = 4.times.map { Thread.new { n = 0; n += 1 until stop; n } }
sleep 1
stop = true
p turns.map(&:value).all?(&:positive?) # => true

# Who waits lets the others run: locks, queues, sleeps, input and output, ends of threads.
queue, mutex, list = Queue.new, Mutex.new, []
workers = 4.times.map { Thread.new { while (job = queue.pop); mutex.synchronize { list << job }; sleep 0.001; end } }
100.times { |i| queue << i }
queue.close
workers.each(&:join)
p list.sort == (0...100).to_a # => true
r, w = IO.pipe
reader = Thread.new { r.read }
w << "text"
w.close
p reader.value # => "text"
sleepers = 8.times.map { Thread.new { sleep } }
sleep 0.01 until sleepers.all? { |t| t.status == "sleep" }
p sleepers.each(&:wakeup).map { |t| t.join(60) } == sleepers # => true

# Collections, shared objects, Thread.pass.
shared = {}
4.times.map { |t| Thread.new { 2_000.times { |i| shared[[t, i]] = i.to_s; Thread.pass if i % 100 == 0; GC.start if i % 1000 == 0 } } }.each(&:join)
p shared.size # => 8000
flag = false
waiter = Thread.new { Thread.pass until flag; :seen }
flag = true
p waiter.value # => :seen

# Interrupts reach threads that compute, and those that wait for their turn.
busy = 3.times.map { Thread.new { loop { } } }
sleep 0.05
busy.each(&:kill)
p busy.map { |t| t.join(10) }.all? # => true

# Fibers, other VMs, deadlocks.
p Fiber.new { Fiber.yield 1; 2 }.then { |f| [f.resume, f.resume] } # => [1, 2]
p RubyVM.new("other", source: "4.times.map { |i| Thread.new { 1000.times.sum } }.sum(&:value)").start.value # => 1998000
begin
  Queue.new.pop
rescue Exception => e
  p e.class # => fatal
end
