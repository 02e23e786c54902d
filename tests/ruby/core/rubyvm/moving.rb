# What is handed over and not copied: buffers, methods by their names, and anything with `move: true`.

CH = RubyVM::Channel.new
def copy(object)
  CH << object
  CH.recv
end

# The memory of a buffer goes; the sender's is null, its slices are invalid.
buffer = IO::Buffer.new(1 << 20)
buffer.set_string("hello", 0)
slice = buffer.slice(0, 5)
other = copy(buffer)
p other.size, other.get_string(0, 5), buffer.null?, slice.valid? # => 1048576
# => "hello"
# => true
# => false
other.set_string("J", 0)
p copy([other, 1])[0].get_string(0, 5) # => "Jello"
p copy(IO::Buffer.new(0)).size # => 0
# What can't be given up stays.
text = +"text"
begin
  copy([IO::Buffer.for(text)])
rescue TypeError => e
  puts e.message # => can't send message[0]: IO::Buffer shows memory of another object
end
kept = IO::Buffer.new(10)
begin
  copy(kept.slice(0, 3))
rescue TypeError => e
  puts e.message # => can't send message: IO::Buffer shows memory of another object
end
kept.locked { copy(kept) rescue puts $!.message } # => can't send message: IO::Buffer is locked
p kept.size # => 10
# Nothing is given up unless everything can be sent.
begin
  copy([kept, Thread.current])
rescue TypeError
  p kept.null? # => false
end
vm = RubyVM.new("buffers") { |from, to| b = from.recv; b.set_string("from afar", 0); to << b }
from = RubyVM::Channel.new
vm.start(from, CH)
from << IO::Buffer.new(16)
p CH.recv.get_string(0, 9) # => "from afar"
vm.join

# A method is found where it arrives.
p copy(Math.method(:sqrt)).call(49) # => 7.0
p copy([1, 2].method(:sum)).call # => 3
p copy(String.instance_method(:upcase)).bind_call("up") # => "UP"
module Double
  def self.of(n) = n * 2
end
vm = RubyVM.new("methods", source: <<~RUBY)
  module Double
    def self.of(n) = n * 3
  end
  from, to = RubyVM::ARGV
  to << from.recv.call(7)
RUBY
vm.start(from, CH)
from << Double.method(:of)
p CH.recv # => 21
vm.join
begin
  copy(Object.new.tap { |o| def o.own = 1 }.method(:own))
rescue TypeError => e
  puts e.message # => can't send message.receiver: Object has methods of its own
end

# move: the sender can't use it any more.
def gone(object)
  object.size
rescue RubyVM::MovedError => e
  e.message
end
text, list, table = +"text", [1, +"two", [3]], { a: +"b" }
inner = list[1]
CH.send(text, move: true)
CH.send([list, table, text2 = "frozen".freeze], move: true)
p gone(text), gone(list), gone(inner), gone(table) # => "can not send any methods to a moved object"
# => "can not send any methods to a moved object"
# => "can not send any methods to a moved object"
# => "can not send any methods to a moved object"
p text2, CH.recv, CH.recv # => "frozen"
# => "text"
# => [[1, "two", [3]], {a: "b"}, "frozen"]
begin
  CH << [1, text]
rescue TypeError => e
  puts e.message # => can't send message[1]: RubyVM::MovedObject was moved to another VM
end
class Point
  attr_reader :x
  def initialize(x) = @x = x
end
point = Point.new([1])
CH.send(point, move: true)
p CH.recv.x, (point.x rescue $!.class), RubyVM::MovedError.superclass # => [1]
# => RubyVM::MovedError
# => RubyVM::Error
# Numbers, symbols, classes and channels stay what they are.
CH.send([1, 2**100, :sym, String, CH], move: true)
p CH.recv.size, CH.closed? # => 5
# => false
big = "x" * 100_000
CH.send(big, move: true)
p CH.recv.size # => 100000
# If it can't be sent, nothing is moved.
list = [+"stays", Thread.current]
CH.send(list, move: true) rescue p list[0] # => "stays"
