# parallel: no, it counts all descriptors of the process
# What a thread waits with serves its next wait, also after the wait was ended by a close, and is no other process's.
r, w = IO.pipe
wait = lambda do |io, text|
  waiting = Thread.new { io.readpartial(10) }
  Thread.pass until waiting.stop?
  w << text
  waiting.value
end
p wait[r, "one"] # => "one"
before = Dir.children("/proc/self/fd").size
20.times { wait[r, "more"] == "more" or puts "lost" }
p Dir.children("/proc/self/fd").size - before # => 0

# A wait that a close ends leaves nothing behind for the next one.
3.times do
  closed, other = IO.pipe
  waiting = Thread.new { closed.readpartial(10) rescue $!.message }
  Thread.pass until waiting.stop?
  closed.close
  p waiting.value
  other.close
end
# => "stream closed in another thread"
# => "stream closed in another thread"
# => "stream closed in another thread"
p wait[r, "two"] # => "two"

# More at the same time than are kept.
pipes = Array.new(12) { IO.pipe }
threads = pipes.map { |from, _| Thread.new { from.readpartial(10) } }
Thread.pass until threads.all?(&:stop?)
pipes.each_with_index { |(_, to), i| to << i.to_s }
p threads.map(&:value) # => ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]

# A process that was forked waits with its own.
from_child, to_parent = IO.pipe
from_parent, to_child = IO.pipe
child = fork do
  3.times { to_parent << "#{from_parent.readpartial(10)}!" }
  exit!(0)
end
got = 3.times.map do |i|
  to_child << i.to_s
  from_child.readpartial(10)
end
p got # => ["0!", "1!", "2!"]
p Process.wait2(child).last.success? # => true
