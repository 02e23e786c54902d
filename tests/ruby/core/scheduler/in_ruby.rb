# A scheduler written in Ruby is asked by everything that waits.
require "socket"
require_relative "_selecting"

p (Fiber.schedule { nil } rescue $!) # => #<RuntimeError: No scheduler is available!>
p (Fiber.set_scheduler(Object.new) rescue $!) # => #<ArgumentError: Scheduler must implement #block>
p Fiber.scheduler # => nil

thread = Thread.new do
  scheduler = SelectingScheduler.new
  Fiber.set_scheduler(scheduler)
  log = []
  p Fiber.scheduler.equal?(scheduler), Fiber.current_scheduler # => true
  # => nil
  Fiber.schedule do
    p Fiber.current_scheduler.equal?(scheduler), Fiber.current.blocking? # => true
    # => false
    Fiber.blocking { p Fiber.current_scheduler } # => nil
  end
  Fiber.schedule { sleep 0.5; log << :late }
  Fiber.schedule { sleep 0.01; log << :early }
  queue = Thread::Queue.new
  Fiber.schedule { log << queue.pop }
  Fiber.schedule { log << :pushing; queue << :pushed }
  sized = Thread::SizedQueue.new(1)
  Fiber.schedule { 3.times { |i| sized << i }; sized.close }
  Fiber.schedule { taken = []; while v = sized.pop; taken << v; end; log << taken }
  mutex = Thread::Mutex.new
  condition = Thread::ConditionVariable.new
  Fiber.schedule { mutex.synchronize { condition.wait(mutex); log << :signalled } }
  Fiber.schedule { mutex.synchronize { sleep 0.005; condition.signal }; log << :unlocked }
  Fiber.schedule { log << Thread.new { Kernel.sleep 0.01; :joined }.value }
  Fiber.schedule { q = Thread::Queue.new; log << [:timeout, q.pop(timeout: 0.01)] }
  reader, writer = IO.pipe
  Fiber.schedule { log << reader.read; reader.close }
  Fiber.schedule { writer.write "through a pipe"; sleep 0.001; writer.close }
  server = TCPServer.new("127.0.0.1", 0)
  Fiber.schedule { connection = server.accept; connection.write(connection.gets.upcase); connection.close }
  Fiber.schedule { TCPSocket.open("somewhere", server.addr[1]) { |s| s.puts "tcp"; log << s.read } }
  Fiber.schedule { log << [:exit, system("exit 3"), $?.exitstatus] }
  left, right = UNIXSocket.pair
  Fiber.schedule { left.read(1) rescue log << $!.message }
  Fiber.schedule { sleep 0.01; left.close }
  Fiber.schedule { right.wait_readable(0.001) ; log << :waited }
  Fiber.schedule { raise "in a fiber" rescue log << $!.message }
  scheduler.run
  log.map(&:inspect).sort.each { |line| puts line }
  # => "TCP\n"
  # => "in a fiber"
  # => "stream closed in another thread"
  # => "through a pipe"
  # => :early
  # => :joined
  # => :late
  # => :pushed
  # => :pushing
  # => :signalled
  # => :unlocked
  # => :waited
  # => [0, 1, 2]
  # => [:exit, false, 3]
  # => [:timeout, nil]
  p log.index(:early) < log.index(:late) # => true
  scheduler.calls
end
calls = thread.value
p %i[fiber io_wait kernel_sleep block unblock fiber_interrupt process_wait address_resolve close].reject { |hook| calls[hook].positive? } # => []

# What still runs when the thread ends is run to its end.
Thread.new do
  Fiber.set_scheduler(SelectingScheduler.new)
  Fiber.schedule { sleep 0.01; puts "at the end of the thread" } # => at the end of the thread
end.join
Thread.new do
  Fiber.set_scheduler(SelectingScheduler.new)
  Fiber.schedule { sleep 0.01; puts "replaced" } # => replaced
  Fiber.set_scheduler(nil)
  p Fiber.scheduler # => nil
end.join
Fiber.set_scheduler(SelectingScheduler.new)
Fiber.schedule { sleep 0.001; puts "at the end of the program" }
at_exit { puts "at_exit" }
# => at the end of the program
# => at_exit
# parallel: no, at_exit runs when the process ends
