# `IO#ioctl`: requests whose argument is a number, or a structure in a String.
require "pty"
require "io/console"

GET_SIZE, SET_SIZE, READABLE, CLOSE_ON_EXEC = 0x5413, 0x5414, 0x541b, 0x5451

def t = (p yield) rescue p($!)

unless RUBY_PLATFORM.include?("linux")
  puts "skipped: the numbers are those of Linux"
  exit
end

master, terminal = PTY.open
size = [24, 80, 0, 0].pack("S4")
t { terminal.ioctl(SET_SIZE, size) } # => 0
size = +"\0"
t { terminal.ioctl(GET_SIZE, size) } # => 0
t { size.unpack("S4") } # => [24, 80, 0, 0]
t { size.bytesize } # => 257
t { master.winsize } # => [24, 80]
t { terminal.ioctl(GET_SIZE, "".freeze) } # => #<FrozenError: can't modify frozen String: "">

reader, writer = IO.pipe
writer << "abc"
writer.flush
count = +""
t { reader.ioctl(READABLE, count) } # => 0
t { count.unpack1("i") } # => 3
t { reader.ioctl(GET_SIZE, size) } # => #<Errno::ENOTTY: Inappropriate ioctl for device>
t { reader.ioctl(0x40087468, size) } # => #<Errno::ENOTTY: Inappropriate ioctl for device>
t { writer.close_on_exec = false } # => false
t { [writer.ioctl(CLOSE_ON_EXEC), writer.close_on_exec?] } # => [0, true]
