# What is raised into a thread that waits in a queue comes before the item that wakes it too.
log = []
50.times do
  queue = Queue.new
  t = Thread.new do
    queue.pop
    log << :popped
  rescue IOError
    log << :raised
  end
  Thread.pass until t.stop?
  t.raise IOError
  queue << 1
  t.join
end
p log.uniq # => [:raised]
begin
  Queue.new.pop(timeout: "1")
rescue TypeError => e
  puts e.message # => no implicit conversion of String into Float
end
p nil.to_s.equal?(nil.to_s), true.to_s.equal?(true.to_s) # => true
# => true
p proc { 1 }.curry.class, lambda { |a, b = 2| [a, b] }.curry(2)[1][5] # => Proc
# => [1, 5]
p((lambda { |a| a }.curry(2) rescue $!.message)) # => "wrong number of arguments (given 2, expected 1)"
class Special
  def a = 1
  alias initialize_copy a
  define_method(:initialize) { }
end
p Special.private_instance_methods(false).sort # => [:initialize, :initialize_copy]
