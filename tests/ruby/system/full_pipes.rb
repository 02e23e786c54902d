# parallel: no, it counts the descriptors of the process
# What waits to be written into a pipe that nobody reads keeps no VM from ending, and no collection from going on.
require "pty"

def seconds
  from = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  yield
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - from
end

def fill(pipe)
  pipe.write_nonblock("x" * 4096) while true
rescue IO::WaitWritable
end

FULL = <<~RUBY
  reader, writer = IO.pipe
  writer.sync = false
  begin
    writer.write_nonblock("x" * 4096) while true
  rescue IO::WaitWritable
  end
  writer << "left"
  1
RUBY

p seconds { p((RubyVM.new("time", source: FULL, time_limit: 0.3).start.value rescue $!.message)) } < 5 # => "VM time ran longer than its time limit"
# => true
vm = RubyVM.new("kill", source: FULL).start
sleep 0.3
p seconds { vm.kill; p [1, nil].include?(vm.value) } < 5 # => true
# => true
p seconds { p((RubyVM.new("collects", source: FULL + "; writer = nil; 5.times { GC.start }; reader.readpartial(99_999).size", time_limit: 4).start.value)) } < 5 # => 65536
# => true

# A collection writes what goes out, and what does not is not lost.
def lost_writer(text, full)
  Thread.new do
    reader, writer = IO.pipe
    writer.sync = false
    fill(writer) if full
    writer << text
    reader
  end.value
end

def soon(reader) = 50.times { GC.start; break if reader.wait_readable(0.01) }

reader = lost_writer("one", false)
soon(reader)
p reader.read_nonblock(99, exception: false) # => "one"
reader = lost_writer("two", true)
GC.start
bytes = 0
bytes += reader.readpartial(99_999).size while bytes < 65_536
soon(reader)
p reader.read_nonblock(99, exception: false) # => "two"

# A thread that is killed loses no descriptor on the way.
def descriptors = Dir.children("/proc/self/fd").size
PTY.open {}
GC.start
before = descriptors
60.times do |i|
  thread = Thread.new { loop { i.odd? ? PTY.open : Dir.new("/") } }
  sleep 0.001 * (i % 5)
  thread.kill.join
end
GC.start
p descriptors - before < 10 # => true
