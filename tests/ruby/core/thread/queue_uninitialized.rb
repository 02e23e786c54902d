# A queue that has only been allocated.

[Queue, SizedQueue].each do |c|
  failed = %i[pop clear empty? size push].select do |name|
    q = c.allocate
    name == :push ? q.push(1) : q.__send__(name)
    false
  rescue TypeError => e
    e.message.match?(/\A#<Thread::#{c.name[/\w+\z/]}:0x\h+> not initialized\z/)
  end
  p failed, [c.allocate.num_waiting, c.allocate.closed?, c.allocate.close.closed?]
end
# => [:pop, :clear, :empty?, :size, :push]
# => [0, false, true]
# => [:pop, :clear, :empty?, :size, :push]
# => [0, false, true]
class Bare < Queue
  def initialize = nil
end
begin
  Bare.new << 1
rescue TypeError => e
  puts e.message.sub(/0x\h+/, "0x")
end
# => #<Bare:0x> not initialized
class Late < Queue
  def initialize(list) = super
end
p Late.new([1, 2]).pop # => 1
