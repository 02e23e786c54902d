# parallel: no, it counts the descriptors of the process
# What a VM has opened and no stream of it closes is closed when the VM ends.
def left
  before = Dir.children("/proc/self/fd").sort
  yield
  GC.start
  Dir.children("/proc/self/fd").size - before.size
end

def in_vm(source) = RubyVM.new("opens", source: source).start.value

in_vm("1")
p left { in_vm('20.times { IO.sysopen("/dev/null") }') } # => 0
p left { in_vm('$a = Array.new(20) { IO.for_fd(IO.sysopen("/dev/null"), autoclose: false) }; 1') } # => 0
p left { in_vm('$a = Array.new(20) { File.open("/dev/null").tap { _1.autoclose = false } }; 1') } # => 0
p left { in_vm('20.times { File.open("/dev/null").autoclose = false }; GC.start; 1') } # => 0
p left { in_vm('require "socket"; s = UNIXServer.new(path = "/tmp/left_open_#{$$}"); UNIXSocket.new(path); s.sysaccept; File.delete(path)') } # => 0

# What it was given stays the giver's.
reader, writer = IO.pipe
in_vm("IO.for_fd(#{writer.fileno}, autoclose: false) << 'a'; 1")
in_vm("out = IO.for_fd(#{writer.fileno}); out.autoclose = false; out << 'b'; 1")
p writer.closed?, writer.write("c"), reader.readpartial(9) # => false
# => 1
# => "abc"

# A stream made of the number takes the descriptor over, in another VM too.
channel, back = RubyVM::Channel.new, RubyVM::Channel.new
vm = RubyVM.new("opens") { |to, from| to << IO.sysopen("/dev/zero"); from.recv; 1 }.start(channel, back)
zero = IO.for_fd(channel.recv)
back << 1
vm.join
p zero.read(1) # => "\x00"
zero.close

# In the VM that opened them they stay open.
number = IO.sysopen("/dev/zero")
p IO.for_fd(number, autoclose: false).read(1) # => "\x00"
GC.start
zero = IO.for_fd(number)
p zero.autoclose?, (zero.autoclose = false), zero.autoclose? # => true
# => false
# => false
zero.autoclose = true
p zero.close # => nil
p((IO.for_fd(number) rescue $!.class)) # => Errno::EBADF
