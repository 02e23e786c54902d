# parallel: no, each thread of a test would fork all others
# `fork`: the new process has the memory, and the one thread that called.

# What a child says, and how it ends.
def child(&body)
  r, w = IO.pipe
  pid = fork do
    r.close
    $stdout.reopen(w)
    body.call
  end
  w.close
  text = r.read
  Process.wait(pid)
  [text, $?.exitstatus || $?.termsig]
end

p child { print "in the child" } # => ["in the child", 0]
p child { exit 3 } # => ["", 3]
p child { $stderr.reopen(File::NULL); raise "an exception" } # => ["", 1]
p child { throw :nowhere rescue print $!.class } # => ["UncaughtThrowError", 0]

# Nothing around the block goes on in the child.
begin
  fork { exit }
ensure
  $ensured = $$
end
p $ensured == $$ # => true
Process.wait

# Its ids are its own.
me = $$
p child { p [$$ == me, Process.pid == $$, Process.ppid == me] } # => ["[false, true, true]\n", 0]

# Without a block both go on.
r, w = IO.pipe
if (pid = fork)
  w.close
  p r.read # => "nil"
  Process.wait(pid)
else
  w.write(pid.inspect)
  exit!
end

# Other threads are dead, and what they had locked is free.
mutex, monitor, queue = Mutex.new, Monitor.new, Queue.new
holders = [
  Thread.new { mutex.synchronize { sleep } }, Thread.new { monitor.synchronize { sleep } }, Thread.new { queue.pop }
]
Thread.pass until holders.all?(&:stop?)
p child {
  p holders.map(&:alive?), Thread.list == [Thread.current], mutex.locked?
  mutex.synchronize { monitor.synchronize { print "locked " } }
  taker = Thread.new { queue.pop }
  queue << 1
  print taker.value, " ", queue.num_waiting
}
# => ["[false, false, false]\ntrue\nfalse\nlocked 1 0", 0]
p holders.map(&:alive?) # => [true, true, true]
holders.each(&:kill)

# A lock that the calling thread has, it has in the child too.
mutex.lock
p child { p mutex.owned?; mutex.unlock; p mutex.locked? } # => ["true\nfalse\n", 0]
mutex.unlock

# A child works: allocates, collects, has threads, fibers and a scheduler.
p child {
  list = Array.new(10_000) { |i| i.to_s }
  GC.start
  print list.sum(&:to_i), " ", 4.times.map { |i| Thread.new { (1..1000).inject(:+) * i } }.sum(&:value)
  print " ", Fiber.new { Fiber.yield 1 }.resume
  Fiber.set_scheduler(Fiber::Scheduler::Default.new)
  Fiber.schedule { sleep 0.001; print " slept" }
}
# => ["49995000 3003000 1 slept", 0]

# From another thread: that one is the child's main thread, and the process ends with it.
Thread.new do
  pid = fork
  if pid
    Process.wait(pid)
    p $?.exitstatus # => 5
  else
    exit(Thread.main == Thread.current ? 5 : 6)
  end
end.join
pid = Thread.new { fork || :over }.value
exit!(9) if pid == :over
Process.wait(pid)
p $?.exitstatus # => 0

# In a fiber, and in a fiber of a scheduler, which is the other process's.
p Fiber.new { child { print "fiber" } }.resume # => ["fiber", 0]
Thread.new do
  Fiber.set_scheduler(Fiber::Scheduler::Default.new)
  Fiber.schedule { 5.times { sleep 0.001 } }
  Fiber.schedule { p child { p Fiber.current_scheduler, Fiber.current.blocking?; sleep 0.001 } }
end.join
# => ["nil\ntrue\n", 0]

# Handlers of the end run in the child too, signals reach it, and a trap of the other process is its as well.
at_exit { $stdout.print "at_exit" unless $$ == me }
p child {} # => ["at_exit", 0]
trap(:USR1) { $stdout.print "trapped "; $stdout.flush; exit!(4) }
p child { Process.kill(:USR1, $$); sleep 5 } # => ["trapped ", 4]
trap(:USR1, "DEFAULT")
p child { Process.kill(:TERM, $$); sleep 5 } # => ["at_exit", 15]

# Random numbers differ.
srand(1)
p child { print rand(1 << 60) }.first == child { print rand(1 << 60) }.first # => false

# Forks of forks.
p child { print child { print child { print "deepest" }.first }.first }.first.start_with?("deepest") # => true

# `_fork` is what programs put their own in the place of.
module Told
  def _fork
    pid = super
    $forked = pid == 0 ? :child : :parent
    pid
  end
end
Process.singleton_class.prepend(Told)
p child { print $forked } # => ["childat_exit", 0]
p $forked # => :parent

p IO.popen("-") { |io| io ? io.read : print("popen") } # => "popen"
p IO.popen("-", "r+") { |io| io ? (io.write("there"); io.close_write; io.read) : print(gets.upcase) } # => "THERE"
io = IO.popen("-")
unless io
  print "without a block"
  exit!
end
p io.read # => ""

r, w = IO.pipe
fork do
  r.close
  Process.daemon(false, true)
  w.puts Process.getsid == $$, Dir.pwd, Process.ppid == me
  exit!
end
w.close
p r.read # => "true\n/\nfalse\n"
Process.wait

# A Ractor does not.
Warning[:experimental] = false
p Ractor.new { fork rescue $!.class }.value # => Ractor::IsolationError
