# `asterism top` shows what the threads of a running program do and wait for; the program goes on.
# parallel: no, a process has one handler of a signal
require "rbconfig"
RUBY = RbConfig.ruby
done = false
define_method(:busy_work) { nil until done }
busy = Thread.new { busy_work }
busy.name = "worker bee"
queue = Queue.new
sleeper = Thread.new { queue.pop }
reader, writer = IO.pipe
vm = RubyVM.new("other one") { |r| r.read }.start(reader)
sleep 0.01 until sleeper.stop?
text = IO.popen([RUBY, "top", "-n", "1", "-d", "0.3", "-c", Process.pid.to_s], &:read)
p $?.success? # => true
p text[/^asterism top  process (\d+)/, 1] == Process.pid.to_s # => true
p text.match?(/^main +\d+\.\d +\d+\.\d +\d+ +\d+\.\d +\d+\.\d+ +3$/) # => true
p text.match?(/^other one +\d+\.\d +\d+\.\d +\d+ +\d+\.\d +\d+\.\d+ +\d+$/) # => true
p text.match?(/^ +\d+ +\d+\.\d \w+ +\[other one\]/) # => true
p text.match?(/ run +worker bee  .*top\.rb:6:in/) # => true
p text.match?(/ sleep_forever +\S*top\.rb:10  .*top\.rb:10:in 'Thread::Queue#pop'  waits for #<Thread::Queue:/) # => true
p text.match?(/ main thread  .*top\.rb:14:in 'IO\.popen'/) # => true
p text.match?(/^ +\d\.\d\d  \S*top\.rb:6:in/) # => true
p text.match?(/^ +1\.00  #<Thread::Queue:.* at .*top\.rb:10:in 'Thread::Queue#pop'$/) # => true
p text.match?(/^ +\d+ +\d+\.\d  String$/) # => true
done = true
queue << 1
writer.close
p [busy, sleeper, vm].map(&:join).size # => 3

# It leaves no file behind. What can't be looked at is said.
p File.exist?("/tmp/.asterism-top-#{Process.pid}") # => false
top = ->(*words) { IO.popen([RUBY, "top", *words, err: [:child, :out]], &:read).chomp }
other = spawn("sleep 100")
puts top[other.to_s].sub(other.to_s, "N") # => asterism: top: process N is not asterism
Process.kill(:KILL, other)
Process.wait(other)
puts top["999999999"] # => asterism: top: no process 999999999
puts top["-n", "0", "1"] # => asterism: top: not a number of rounds: 0
puts top["-d", "soon", "1"] # => asterism: top: not a number of seconds: soon
puts top["x"] # => asterism: top: not a process: x
puts top["1", "2"] # => asterism: top: one process, please: 2
