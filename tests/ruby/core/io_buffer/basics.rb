# IO::Buffer: values, strings, slices, locking, what outlives what.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

e { IO::Buffer.new(16).get_value(:U32, 14) } # => [ArgumentError, "Type extends beyond end of buffer! (offset=14 > size=16)"]
e { IO::Buffer.new(16).get_value(:U32, -1) } # => [ArgumentError, "Offset can't be negative!"]
e { IO::Buffer.new(16).get_value(:X, 0) } # => [ArgumentError, "Invalid type name!"]
e { IO::Buffer.new(16).slice(10, 10) } # => [ArgumentError, "Specified offset+length is bigger than the buffer size!"]
e { b = IO::Buffer.new(16); b.free; b.get_value(:U8, 0) } # => [IO::Buffer::AllocationError, "The buffer is not allocated!"]
e { b = IO::Buffer.new(16); b.free; b.inspect } # => "#<IO::Buffer 0x0000000000000000+0 NULL>"
e { b = IO::Buffer.new(16); b.locked { b.locked { nil } } } # => [IO::Buffer::LockedError, "Buffer already locked!"]
e { b = IO::Buffer.new(16); b.locked { b.resize(5) } } # => [IO::Buffer::LockedError, "Cannot resize locked buffer!"]
e { b = IO::Buffer.new(16); b.locked { b.free } } # => [IO::Buffer::LockedError, "Buffer is locked!"]
e { b = IO::Buffer.new(16); s = b.slice(4, 4); b.free; s.get_value(:U8, 0) } # => [IO::Buffer::InvalidatedError, "Buffer has been invalidated!"]
e { IO::Buffer.for("abc").set_value(:U8, 0, 1) } # => [IO::Buffer::AccessError, "Buffer is not writable!"]
e { s = +"abc"; IO::Buffer.for(s) { |b| b.set_value(:U8, 0, 0x41) }; s } # => "Abc"
e { s = +"abc"; kept = nil; IO::Buffer.for(s) { |b| kept = b; s.clear; b.get_string } } # => [RuntimeError, "can't modify string; temporarily locked"]
e { IO::Buffer.for("abc").resize(5) } # => [IO::Buffer::AccessError, "Cannot resize external buffer!"]
e { b = IO::Buffer.new(8); b.set_string("abcdefgh", 2, 3, 1); b.get_string } # => "\x00\x00bcd\x00\x00\x00"
e { b = IO::Buffer.new(8); b.set_values([:U8, :s16, :F32], 0, [1, -2, 1.5]); [b.get_values([:U8, :s16, :F32], 0), b.get_string] } # => [[1, -2, 1.5], "\x01\xFE\xFF?\xC0\x00\x00\x00"]
e { b = IO::Buffer.for("\x00\x01\x02\x03"); [b.each(:U16).to_a, b.values(:u16), b.each_byte.to_a] } # => [[[0, 1], [2, 515]], [256, 770], [0, 1, 2, 3]]
e { [IO::Buffer.for("a") <=> IO::Buffer.for("b"), IO::Buffer.for("ab") > IO::Buffer.for("b"), IO::Buffer.for("x") == IO::Buffer.for("x")] } # => [-1, true, true]
e { (IO::Buffer.for("1234") & IO::Buffer.for("\xFF\x00")).get_string } # => "1\x003\x00"
e { (~IO::Buffer.for("\x0F\xF0")).get_string.bytes } # => [240, 15]
e { [IO::Buffer.size_of(:u32), IO::Buffer.size_of([:u8, :u64])] } # => [ArgumentError, "Invalid type name!"]
e { IO::Buffer.for("hello world\0abcdef").hexdump } # => "0x00000000  68 65 6c 6c 6f 20 77 6f 72 6c 64 00 61 62 63 64 hello world.abcd\n0x00000010  65 66                                           ef"
e { IO::Buffer.string(4) { |b| b.set_string("ruby") } } # => "ruby"
e { b = IO::Buffer.new(4); c = b.transfer; [b.null?, c.size] } # => [true, 4]
e { r, w = IO.pipe; b = IO::Buffer.for("hello"); n = b.write(w); c = IO::Buffer.new(10); [n, c.read(r, 5), c.get_string(0, 5)] } # => [5, 5, "hello"]
path = "/tmp/asterism_io_buffer-#{$$}-#{Thread.current.object_id}"
File.write(path, "some text")
e { File.open(path, "r+") { |f| m = IO::Buffer.map(f); m.set_string("SOME"); [m.size, m.get_string, File.read(path)] } } # => [9, "SOME text", "SOME text"]
e { File.open(path) { |f| m = IO::Buffer.map(f, nil, 0, IO::Buffer::READONLY); File.truncate(path, 4); m.get_string } } # => "SOME\x00\x00\x00\x00\x00"
File.delete(path)
e { b = IO::Buffer.new(4); b.resize(8192); b.size } # => 8192
e { IO::Buffer.new(2**62) } # => [IO::Buffer::AllocationError, "Could not allocate buffer!"]
