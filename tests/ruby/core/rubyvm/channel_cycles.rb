# Channels that only messages in each other lead to are freed with what is in them.

# Collects until the other end of the pipe is closed, which its channel holds.
def freed?(reader)
  200.times do
    GC.start
    return reader.read == "" if reader.wait_readable(0.005)
    RubyVM::Channel.new
  end
  false
end

# A channel in itself.
reader, writer = IO.pipe
Thread.new(writer) do |w|
  ch = RubyVM::Channel.new
  ch << w
  ch << [ch]
  nil
end.join
writer = nil
p freed?(reader) # => true

# A ring of them, the pipe in one.
reader, writer = IO.pipe
Thread.new(writer) do |w|
  ring = Array.new(10) { RubyVM::Channel.new }
  ring.each_with_index { |ch, i| ch << { next: ring[(i + 1) % 10] } }
  ring[3] << w
  nil
end.join
writer = nil
p freed?(reader) # => true

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
reader, writer = IO.pipe
RubyVM.new("left behind") do |w|
  a, b = RubyVM::Channel.new, RubyVM::Channel.new
  a << b
  b << a
  b << w
  nil
end.start(writer).join
p freed?(reader) # => true

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
