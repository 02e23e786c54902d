# SIGQUIT shows what the threads do, and the program goes on.
# stderr: which #<Thread:
# stderr: waits for #<Thread::Queue:
# stderr: waits for the end of #<Thread:
# stderr: in 'Thread::Mutex#lock'
# parallel: no, a process has one handler of a signal
m = Mutex.new
q = Queue.new
holder = Thread.new { m.synchronize { q.pop } }
sleep 0.01 until m.locked?
waits = Thread.new { m.lock }
joins = Thread.new { waits.join }
sleep 0.01 until [holder, waits, joins].all?(&:stop?)
Process.kill(:QUIT, Process.pid)
q << 1
[holder, joins].each(&:join)
puts "on" # => on
trap(:QUIT) { puts "trapped" }
Process.kill(:QUIT, Process.pid) # => trapped
