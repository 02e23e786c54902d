# A thread that waits in native code when a TracePoint is enabled is traced from when it goes on.

def lines(wait, **options)
  seen = []
  queue = Thread::Queue.new
  thread = Thread.new do
    wait.call(queue)
    first = 1
    first + 1
  end
  Thread.pass until thread.stop?
  trace = TracePoint.new(:line) { |t| seen << t.lineno if Thread.current == thread }
  options[:target_thread] = thread if options.key?(:target_thread)
  trace.enable(**options)
  queue << 1
  queue << 2
  thread.join
  trace.disable
  seen.count { |line| line.between?(__LINE__ - 11, __LINE__ - 10) }
end

p lines(->(queue) { queue.pop }, target_thread: true) # => 2
p lines(->(queue) { queue.pop }) # => 2
p lines(->(queue) { sleep 0.01 until queue.size == 2 }) # => 2
p lines(->(queue) { [queue].each { |q| 2.times { q.pop } } }) # => 2
LOCK = Mutex.new
p lines(->(queue) { LOCK.synchronize { queue.pop } }) # => 2
