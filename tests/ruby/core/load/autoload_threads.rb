# parallel: no, a feature is loaded once
# While a file is loaded for a constant, only the fiber that loads it sees what the file has set.
ENTERED = Queue.new
GO = Queue.new
autoload :Half, File.join(__dir__, "_autoload_half.rb")
autoload :HalfToo, File.join(__dir__, "_autoload_half.rb")
loader = Thread.new { Half.list }
p ENTERED.pop # => [Half, HalfToo, "constant", true, nil, nil]
p defined?(Half), Object.const_defined?(:Half), Object.constants.include?(:Half) # => "constant"
# => true
# => true
p File.basename(Object.autoload?(:HalfToo)) # => "_autoload_half.rb"

waiters = [
  -> { Half.list },
  -> { Object.const_get(:Half).list },
  -> { eval("::Half").list },
  -> { module ::Half; list; end },
  -> { HalfToo.list },
  -> { class HalfToo; self; end.list },
  -> { Class.new(HalfToo).list },
].map { |body| Thread.new(&body) }
# One that is killed meanwhile, and one that is interrupted.
killed = Thread.new { HalfToo }
raised = Thread.new { Half rescue $!.message }
# One that requires the file itself.
requires = Thread.new { [require(File.join(__dir__, "_autoload_half.rb")), Half.list] }
Thread.pass until [*waiters, killed, raised, requires].all?(&:stop?)
killed.kill.join
raised.raise("enough")
p raised.value # => "enough"
GO << 1
p loader.value # => [1]
p waiters.map(&:value) # => [[1], [1], [1], [1], [2], [2], [2]]
p requires.value # => [false, [1]]
p Object.autoload?(:Half), Half.instance_of?(Module) # => nil
# => true

# In a class body.
class Outer
  autoload :Nested, File.join(__dir__, "_autoload_nested.rb")
end
loader = Thread.new { Outer::Nested.new.value }
ENTERED.pop
waiter = Thread.new { Class.new(Outer)::Nested.new.value }
Thread.pass until waiter.stop?
GO << 1
p loader.value, waiter.value # => 42
# => 42

# The file fails: each thread tries for itself.
$raises = true
autoload :Failing, File.join(__dir__, "_autoload_failing.rb")
loader = Thread.new { Failing rescue $!.message }
ENTERED.pop
waiter = Thread.new { Failing rescue $!.message }
Thread.pass until waiter.stop?
GO << 1
p loader.value # => "boo"
ENTERED.pop
p defined?(Failing) # => "constant"
$raises = false
GO << 1
p waiter.value # => Failing
p Failing.complete # => true

# The file defines nothing: the constant is gone.
module Within
  autoload :Missing, File.join(__dir__, "_autoload_nothing.rb")
end
p((Within::Missing rescue $!.message), Within.constants, Within.autoload?(:Missing)) # => "uninitialized constant Within::Missing"
# => []
# => nil

# Another fiber of the loading thread cannot wait.
autoload :InFiber, File.join(__dir__, "_autoload_fiber.rb")
p InFiber.seen # => "deadlock; lock already owned by another fiber belonging to the same thread"

# Two files that need each other, from two threads: one sees of the other what there is.
autoload :Left, File.join(__dir__, "_autoload_left.rb")
autoload :Right, File.join(__dir__, "_autoload_right.rb")
LEFT = Queue.new
RIGHT = Queue.new
threads = [Thread.new { Left.name }, Thread.new { Right.name }]
p threads.map(&:value), Left.other, Right.other # => ["Left", "Right"]
# => Right
# => Left

# What a thread that the file has made waits for while the file waits for it.
autoload :Joins, File.join(__dir__, "_autoload_joins.rb")
begin
  Joins
rescue Exception => e
  puts e.class, e.message[/.*/] # => fatal
  # => No live threads left. Deadlock?
end
