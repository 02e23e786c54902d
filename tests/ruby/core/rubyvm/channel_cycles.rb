# Channels that only messages in each other lead to are freed with what is in them.

# Gives the block the writing ends of some pipes to hide in channels, each in a thread of its own. Collects until most of
# them are closed: machine stacks are looked at conservatively, so that one or the other may be held by a word of old.
def freed?(&hide)
  readers = Array.new(5) do
    reader, writer = IO.pipe
    Thread.new(writer, &hide).join
    reader
  end
  100.times do
    GC.start
    return true if readers.count { |reader| reader.wait_readable(0.001) } >= 3
    RubyVM::Channel.new
  end
  false
end

# A channel in itself.
cycle = freed? do |w|
  ch = RubyVM::Channel.new
  ch << w
  ch << [ch]
  nil
end
p cycle # => true

# A ring of them, the pipe in one.
cycle = freed? do |w|
  ring = Array.new(10) { RubyVM::Channel.new }
  ring.each_with_index { |ch, i| ch << { next: ring[(i + 1) % 10] } }
  ring[3] << w
  nil
end
p cycle # => true

# What leads to one from outside keeps all that it leads to.
reader, writer = IO.pipe
kept = RubyVM::Channel.new
Thread.new(kept, writer) do |outer, w|
  inner = RubyVM::Channel.new
  inner << outer
  inner << w
  outer << [:inner, inner]
  nil
end.join
writer = nil
5.times { GC.start; RubyVM::Channel.new }
p reader.wait_readable(0.01) # => nil
_, inner = kept.recv
p inner.recv == kept # => true
inner.recv.write("still open")
p inner.size # => 0

# In the queue of a VM that ended, too.
left = RubyVM.new("left behind") do |w|
  a, b = RubyVM::Channel.new, RubyVM::Channel.new
  a << b
  b << a
  b << w
  nil
end
reader, writer = IO.pipe
left.start(writer).join
100.times { GC.start; break if reader.wait_readable(0.001); RubyVM::Channel.new }
p reader.read # => ""

# A long chain ends without recursion.
first = last = RubyVM::Channel.new
(GC.stress ? 200 : 50_000).times do
  link = RubyVM::Channel.new
  last << link
  last = link
end
first = last = nil
3.times { GC.start }
puts "alive" # => alive
