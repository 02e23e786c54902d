# Fibers that read one stream take turns, and are woken for them: nobody sleeps meanwhile.
require "socket"
require_relative "_selecting"

[Fiber::Scheduler::Default, SelectingScheduler].each do |kind|
  Thread.new do
    scheduler = kind.new
    slept = 0
    counting = scheduler.method(:kernel_sleep)
    scheduler.define_singleton_method(:kernel_sleep) { |*given| slept += 1; counting.call(*given) }
    Fiber.set_scheduler(scheduler)
    reader, writer = UNIXSocket.pair
    log = []
    3.times { |n| Fiber.schedule { log << [n, reader.gets] } }
    Fiber.schedule { 3.times { |i| writer.write("line #{i}\n") } }
    scheduler.run
    p log.map(&:last).sort, slept
  end.join
end
# => ["line 0\n", "line 1\n", "line 2\n"]
# => 0
# => ["line 0\n", "line 1\n", "line 2\n"]
# => 0

# A stream that another fiber or another thread closes ends the waits for it.
[->(r) { r.close }, ->(r) { Thread.new { r.close }.join }].each do |close|
  Thread.new do
    Fiber.set_scheduler(Fiber::Scheduler::Default.new)
    reader, _writer = UNIXSocket.pair
    2.times { Fiber.schedule { reader.gets rescue puts $!.message } }
    Fiber.schedule { sleep 0.005; close.call(reader) }
    Fiber.scheduler.run
  end.join
end
# => stream closed in another thread
# => closed stream
# => stream closed in another thread
# => closed stream

# A scheduler that has nothing to close is left as it is; one that cannot interrupt is warned of.
bare = Object.new
%i[block unblock kernel_sleep io_wait].each { |name| bare.define_singleton_method(name) { |*| } }
Fiber.set_scheduler(bare)
p Fiber.scheduler.equal?(bare), Fiber.set_scheduler(nil) # => true
# => nil
# stderr: warning: Scheduler should implement #fiber_interrupt
