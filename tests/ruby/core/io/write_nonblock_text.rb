# What write_nonblock writes is the text as it was, and the String goes on as its owner wants: appended to, cleared, written again.
reader, writer = IO.pipe
text = String.new(capacity: 64)
lines = []
3.times do |i|
  text << "round " << i.to_s << ": " << "x" * 40
  p writer.write_nonblock(text, exception: false) == text.bytesize # => true
# => true
# => true
  text << " (kept)"
  lines << text.dup
  text.clear
end
puts lines # => round 0: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx (kept)
# => round 1: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx (kept)
# => round 2: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx (kept)
p reader.read_nonblock(1000) == lines.map { |line| line.delete_suffix(" (kept)") }.join # => true

long = "abc" * 5000
p writer.write_nonblock(long) # => 15000
long << "d"
p reader.read(15_000) == "abc" * 5000, long.bytesize # => true
# => 15001
begin
  writer.write_nonblock("x", exception: 1)
rescue ArgumentError => e
  puts e.message # => expected true or false as exception: 1
end
