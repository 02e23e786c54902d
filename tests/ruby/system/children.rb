# parallel: no, it counts the children of the process
# The children of a VM are its own: no other VM waits for them, and what it leaves behind is reaped when the VM and they have ended.
require "pty"

# Zombies, and children that run. Those of a thread that has just ended may be missed: they are another one's now.
def children
  Dir["/proc/self/task/*/children"].flat_map { |file| File.read(file).split rescue [] }.partition do |pid|
    File.read("/proc/#{pid}/stat")[/\) (.)/, 1] == "Z" rescue false
  end
end

def zombies = children.first.size

def soon(seconds = 10)
  till = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
  sleep 0.01 until (done = yield) || Process.clock_gettime(Process::CLOCK_MONOTONIC) > till
  done
end

def in_vm(source, **options) = RubyVM.new("parent", source: source, **options).start

# What has ended when the VM ends.
p in_vm('20.times { spawn("true") }; sleep 0.3; 1').value # => 1
p soon { zombies == 0 } # => true
p in_vm('5.times { IO.popen("true"); `true`; system("true") }; sleep 0.3; 1').value # => 1
p soon { zombies == 0 } # => true
p in_vm('require "pty"; 3.times { PTY.spawn("true") }; Process.detach(spawn("sleep 0.2")); 1').value # => 1
p soon { children == [[], []] } # => true

# What ends later, of VMs that are killed or have no more time.
vm = in_vm('5.times { spawn("sleep 0.5") }; sleep')
p soon { children.last.size == 5 } # => true
vm.kill
p soon { children == [[], []] } # => true
vm = in_vm('5.times { spawn("sleep 0.6") }; sleep', time_limit: 0.3)
p((vm.value rescue $!.class)) # => RubyVM::Error
p soon { children == [[], []] } # => true
p in_vm('Process.detach(spawn("sleep 0.3")); fork { sleep 0.3 }; 1', allow: [:fork]).value # => 1
p soon { children == [[], []] } # => true

# Whose children are waited for.
channel, back = RubyVM::Channel.new, RubyVM::Channel.new
vm = RubyVM.new("parent") { |to, from|
  pid = spawn("exit 3")
  to << pid
  from.recv
  [Process.wait2(-1).last.exitstatus, (Process.wait rescue $!.class), (Process.wait(from.recv) rescue $!.class)]
}.start(channel, back)
theirs = channel.recv
p((Process.wait(theirs) rescue $!.class)) # => Errno::ECHILD
p((Process.wait rescue $!.class)) # => Errno::ECHILD
p((Process.wait(-1, Process::WNOHANG) rescue $!.class)) # => Errno::ECHILD
p((Process.wait(0) rescue $!.class)) # => Errno::ECHILD
p Process.detach(theirs).value # => nil
own = spawn("exit 4")
p Process.wait2(-1).then { |pid, status| [pid == own, status.exitstatus] } # => [true, 4]
own = spawn("exit 5", pgroup: true)
p Process.wait2(-own).then { |pid, status| [pid == own, status.exitstatus] } # => [true, 5]
own = spawn("exit 6")
back << 1 << own
p vm.value # => [3, Errno::ECHILD, Errno::ECHILD]
p Process.wait2(own).last.exitstatus # => 6

# A child goes with its stream.
p RubyVM.new("popen") { IO.popen("cat; exit 7", "r+") }.start.value.then { |io| io.close; $?.exitstatus } # => 7
p soon { children == [[], []] } # => true

# In a process that was forked there are none yet.
pid = spawn("sleep 0.3")
fork { p((Process.wait(pid) rescue $!.class), (Process.wait rescue $!.class)); p Process.wait2(spawn("exit 8")).last.exitstatus; $stdout.flush; exit! } # => Errno::ECHILD
# => Errno::ECHILD
# => 8
Process.waitall
p((Process.wait rescue $!.class)) # => Errno::ECHILD
