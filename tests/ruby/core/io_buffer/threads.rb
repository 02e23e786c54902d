# Threads that write, resize, slice, free and hand over the same buffer at once: errors, never a crash.

buffer = IO::Buffer.new(4096)
expected = [IO::Buffer::AllocationError, IO::Buffer::InvalidatedError, IO::Buffer::LockedError, ArgumentError]
workers = 6.times.map do |n|
  Thread.new do
    random = Random.new(n)
    2000.times do
      case random.rand(8)
      when 0 then buffer.resize(random.rand(1..10_000))
      when 1 then buffer.free
      when 2 then buffer.slice(0, random.rand(100)).get_string
      when 3 then buffer.set_string("x" * random.rand(200))
      when 4 then buffer.locked { buffer.get_value(:U64, random.rand(4000)) }
      when 5 then buffer.clear(n)
      when 6 then buffer.dup.get_string.size
      when 7 then buffer.transfer
      end
    rescue *expected
      nil
    end
  end
end
workers.each(&:join)
puts "ok" # => ok

text = +"0" * 1000
refused = 0
IO::Buffer.for(text) do |shared|
  writers = 4.times.map do |n|
    Thread.new { 500.times { |i| shared.set_value(:U8, (i * 4 + n) % 1000, 49 + n) } }
  end
  growing = Thread.new { 500.times { (text << "1") rescue refused += 1 } }
  [*writers, growing].each(&:join)
end
p text.size, refused # => 1000
# => 500
