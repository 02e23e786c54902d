# Channels and fiber schedulers: a fiber that waits leaves its thread to the others, wherever the message comes from.

def scheduled
  Thread.new do
    Fiber.set_scheduler(Fiber::Scheduler::Default.new)
    yield
  end.join
end

# From another fiber of the same thread.
ch = RubyVM::Channel.new
log = []
scheduled do
  Fiber.schedule { log << [:got, ch.recv] }
  Fiber.schedule { log << :sends; ch << 1 }
end
p log # => [:sends, [:got, 1]]

# From another thread, and from another VM; the thread runs other fibers meanwhile.
there, back = RubyVM::Channel.new, RubyVM::Channel.new
vm = RubyVM.new("echo") { |from, to| from.each { |x| sleep 0.01; to << x * 2 } }.start(there, back)
log = []
scheduled do
  5.times { |i| Fiber.schedule { there << i; log << back.recv } }
  Fiber.schedule { 3.times { sleep 0.005 }; log << :slept }
end
p log.grep(Integer).sort, log.include?(:slept) # => [0, 2, 4, 6, 8]
# => true
log = []
scheduled do
  Fiber.schedule { log << ch.recv(timeout: 5) }
  Fiber.schedule { Thread.new { ch << :from_a_thread } }
end
p log # => [:from_a_thread]

# Room in a full channel.
full = RubyVM::Channel.new(1)
log = []
scheduled do
  Fiber.schedule { 4.times { |i| full << i; log << "sent #{i}" } }
  Fiber.schedule { 4.times { log << full.recv } }
end
p log.grep(Integer), log.size # => [0, 1, 2, 3]
# => 8

# A time limit, several channels, and a close.
a, b = RubyVM::Channel.new, RubyVM::Channel.new
log = []
scheduled do
  Fiber.schedule { log << a.recv(timeout: 0.01) }
  Fiber.schedule { log << RubyVM::Channel.select(a, b, timeout: 5)&.last }
  Fiber.schedule { log << (a.recv rescue $!.class) }
  Fiber.schedule { sleep 0.05; b << :b; a.close }
end
p log # => [nil, :b, RubyVM::Channel::ClosedError]
p a.size + b.size # => 0

# Many fibers in both VMs.
jobs, results = RubyVM::Channel.new, RubyVM::Channel.new
worker = RubyVM.new("fibers") do |from, to|
  Fiber.set_scheduler(Fiber::Scheduler::Default.new)
  20.times { Fiber.schedule { from.each { |n| sleep 0.001; to << n + 1 } } }
end.start(jobs, results)
sum = 0
scheduled do
  10.times { Fiber.schedule { 10.times { n = results.recv; sum += n } } }
  Fiber.schedule { 100.times { |n| jobs << n }; jobs.close }
end
worker.join
p sum # => 5050

# A scheduler of Ruby code.
class Loop
  def initialize = (@ready, @lock, @timers = [], Thread::Mutex.new, {})
  def block(_blocker, timeout = nil)
    @timers[Fiber.current] = Process.clock_gettime(Process::CLOCK_MONOTONIC) + timeout if timeout
    Fiber.yield
  ensure
    @timers.delete(Fiber.current)
  end
  def unblock(_blocker, fiber) = @lock.synchronize { @ready << fiber }
  def kernel_sleep(duration = nil) = block(:sleep, duration)
  def io_wait(*) = raise("no input here")
  def fiber_interrupt(*) = raise("nothing to interrupt here")
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def waits? = !@timers.empty? || $waiting > 0
  def close
    while waits? || !@ready.empty?
      @lock.synchronize { @ready.shift(@ready.size) }.each { |f| f.resume if f.alive? }
      now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      @timers.select { |_, at| at <= now }.each_key { |f| @timers.delete(f); f.resume }
      Thread.new { sleep 0.001 }.join
    end
  end
end
$waiting = 2
there, back = RubyVM::Channel.new, RubyVM::Channel.new
echo = RubyVM.new("echo again") { |from, to| 2.times { to << from.recv } }.start(there, back)
log = []
Thread.new do
  Fiber.set_scheduler(Loop.new)
  2.times { |i| Fiber.schedule { there << i; log << back.recv; $waiting -= 1 } }
end.join
echo.join
vm.kill
p log.sort # => [0, 1]
