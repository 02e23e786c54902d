# Null buffers, wide integers, what is locked or frozen, lengths of zero.
require "tempfile"
require "rbconfig/sizeof"

null = IO::Buffer.new(0)
p null.get_string, null.get_values([], 0), null.set_values([], 0, []), null.set_string("a", 0, 0), null.copy(IO::Buffer.for("a"), 0, 0) # => ""
# => []
# => 0
# => 0
# => 0
p null.slice(0, 0).null?, null.external?, (null.get_value(:U8, 0) rescue $!), (null.set_string("a") rescue $!) # => true
# => false
# => #<IO::Buffer::AllocationError: The buffer is not allocated!>
# => #<ArgumentError: Specified offset+length is bigger than the buffer size!>
b = IO::Buffer.for("abc").dup
p b.copy(null, 0, 0), b.get_string # => 0
# => "abc"

wide = IO::Buffer.new(32)
[:U128, :u128].each { |t| [0, 2**64, 2**127, 2**128 - 1].each { |n| wide.set_value(t, 3, n); raise t.inspect unless wide.get_value(t, 3) == n } }
[:S128, :s128].each { |t| [-2**127, -2**63 - 1, -1, 2**127 - 1].each { |n| wide.set_value(t, 3, n); raise t.inspect unless wide.get_value(t, 3) == n } }
wide.set_value(:u128, 0, 258)
p wide.get_string(0, 4), IO::Buffer.size_of([:u128, :U8]), wide.values(:S128, 0, 1), (wide.set_value(:U128, 0, 2**128) rescue $!.class), (wide.get_value(:f128, 0) rescue $!) # => "\x02\x01\x00\x00"
# => 17
# => [2663648288428366573436144616889909248]
# => RangeError
# => #<ArgumentError: Invalid type name!>
max = RbConfig::LIMITS["SIZE_MAX"]
p (wide.get_value(:U8, max) rescue $!.class), (wide.clear(0, max - 7, 10) rescue $!.class), (wide.slice(-2**70) rescue $!.class), (wide.resize(1.0) rescue $!) # => ArgumentError
# => ArgumentError
# => RangeError
# => #<TypeError: not an Integer>

locked = IO::Buffer.new(128, IO::Buffer::INTERNAL | IO::Buffer::LOCKED)
p locked.locked?, (locked.free rescue $!), (locked.resize(1) rescue $!.class) # => true
# => #<IO::Buffer::LockedError: Buffer is locked!>
# => IO::Buffer::LockedError
p (IO::Buffer.string(-1) rescue $!) # => #<ArgumentError: negative string size (or size too big)>
text = +"Hello"
kept = IO::Buffer.for(text, &:transfer)
kept.set_string("J")
text.freeze
p text, (kept.set_string("X") rescue $!), text # => "Jello"
# => #<IO::Buffer::AccessError: Buffer is not writable!>
# => "Jello"

Tempfile.create("buffer") do |file|
  file.write("Hello World")
  map = IO::Buffer.map(file, nil, 0, IO::Buffer::PRIVATE)
  p map.size, map.get_string # => 11
# => "Hello World"
  map.free
  all = IO::Buffer.for("whole")
  p all.pwrite(file, 1, 0), all.pwrite(file, 0, 2), all.pwrite(file, 0, 0, 4) # => 5
# => 2
# => 1
  p File.read(file.path) # => "ehholeWorld"
  file.seek(0, :END)
  p all.write(file, 0, 1), all.write(file, 2), File.read(file.path) # => 4
# => 2
# => "ehholeWorldholewh"
end
