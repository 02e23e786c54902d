# TracePoint and threads: new ones, running ones, limits to one, fibers.

def work = 1

events = Queue.new
TracePoint.new(:thread_begin, :thread_end) { |t| events << t.event }.enable(target_thread: nil) { Thread.new { }.join }
p events.size.times.map { events.pop } # => [:thread_begin, :thread_end]

# A thread in a loop is traced from its next step on, and no more afterwards.
ready, stop = Queue.new, false
runner = Thread.new { ready << 1; work until stop; work; :done }
ready.pop
calls = Hash.new(0).compare_by_identity
lock = Mutex.new
count = TracePoint.new(:call) { |t| lock.synchronize { calls[Thread.current] += 1 } if t.method_id == :work }
count.enable(target_thread: runner)
work
Thread.pass until lock.synchronize { calls[runner] } > 3
count.disable
p calls.keys == [runner] # => true
stop = true
p runner.value # => :done

# Eight threads are told of all that they do, each for itself.
total = Queue.new
TracePoint.new(:call) { |t| total << Thread.current if t.method_id == :work }.enable(target_thread: nil) do
  8.times.map { Thread.new { 50.times { work } } }.each(&:join)
end
p total.size # => 400
tally = total.size.times.map { total.pop }.tally
p tally.size, tally.values.uniq # => 8
# => [50]

# Enabling and disabling from several threads at once leaves nobody enabled.
4.times.map { Thread.new { 50.times { TracePoint.new(:line) { }.enable { work } } } }.each(&:join)
p TracePoint.stat # => {enabled: 0}

fibers = []
TracePoint.new(:fiber_switch) { fibers << Fiber.current }.enable do
  fiber = Fiber.new { Fiber.yield }
  2.times { fiber.resume }
end
p fibers.size # => 4

# A VM of its own has its own.
TracePoint.new(:call) { raise "not here" }.enable { p RubyVM.new("own") { def work = 5; work }.start.value } # => 5
