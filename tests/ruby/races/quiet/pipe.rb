# args: --race-report
# parallel: no, the report is the whole VM's
# What is written to a pipe or a socket, and its end, come before they are read.
require "socket"

reader, writer = IO.pipe
value = nil
thread = Thread.new { [reader.gets, value] }
value = 1
writer.puts "go"
p thread.value # => ["go\n", 1]

thread = Thread.new { [reader.read, value] }
value = 2
writer.close
p thread.value # => ["", 2]

here, there = UNIXSocket.pair
thread = Thread.new { [there.readpartial(10), value] }
value = 3
here.write "go"
p thread.value # => ["go", 3]

thread = Thread.new { [there.read_nonblock(10), value] if there.wait_readable }
value = 4
here.syswrite "on"
p thread.value # => ["on", 4]
