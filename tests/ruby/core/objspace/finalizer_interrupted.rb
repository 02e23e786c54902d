# parallel: no, it gets signals
# What a signal, a timeout or another thread raises while finalizers run is not theirs: it comes where they have run beside.
require "timeout"
$stderr = File.open(File::NULL, "w")
IDLE = proc { 1000.times {} }
$busy = 0
def busy
  $busy += 1
  loop { ObjectSpace.define_finalizer(Object.new, IDLE) }
end
def ended
  yield
rescue Exception => e
  e.class
end

p Array.new(3) { ended { Timeout.timeout(0.1) { busy } } }.uniq # => [Timeout::Error]

trap(:INT, "DEFAULT")
$busy = 0
killer = Thread.new do
  3.times do |n|
    sleep 0.01 until $busy == n + 1
    Process.kill(:INT, Process.pid)
  end
end
caught = Array.new(3) { ended { busy } }
killer.join
p caught # => [Interrupt, Interrupt, Interrupt]

main = Thread.current
$busy = 0
Thread.new { sleep 0.01 until $busy == 1; main.raise(KeyError) }
p ended { busy } # => KeyError

# At the end of the program a signal ends those that are left.
program = '$stdout.sync = true; 9.times { ObjectSpace.define_finalizer(Object.new, proc { puts "on"; loop {} }) }'
IO.popen([RbConfig.ruby, "-e", program]) do |io|
  io.gets
  Process.kill(:TERM, io.pid)
  p io.read # => ""
end
