# args: --jit=always
# Instance variables and attributes at places that meet objects of many shapes, also while other threads change them.

class Task
  attr_accessor :held
  attr_reader :count

  def start
    @count = 0
    @held = false
    self
  end

  def step(by)
    @count = @count + by
    @held = !@held
    @count
  end
end

KINDS = 7.times.map do |n|
  Class.new(Task) do
    define_method(:initialize) do
      n.times { |i| instance_variable_set("@own#{i}", i) }
      start
    end
  end
end

def run(task, by)
  task.held = by if task.count.even?
  [task.step(by), task.held, task.count]
end

puts KINDS.map { |kind| kind.new }.map { |t| 40.times.map { run(t, 1) }.last }.uniq.inspect # => [[40, true, 40]]
tasks = KINDS.map(&:new)
60.times { tasks.each { |t| run(t, 2) } }
puts tasks.map(&:count).uniq.inspect # => [120]

# Frozen, without the variable, with it removed, and no plain objects.
def hold(task, v) = task.held = v
def count_of(task) = task.count
30.times { |n| hold(tasks[n % 7], n) }
begin
  hold(KINDS[3].new.freeze, 1)
rescue FrozenError => e
  puts e.message[0, 27] # => can't modify frozen #<Class
end
bare = Task.new
puts count_of(bare).inspect # => nil
tasks[5].remove_instance_variable(:@count)
puts count_of(tasks[5]).inspect, count_of(tasks[4]) # => nil
# => 120
class Text < String
  attr_accessor :held
end
text = Text.new("x")
hold(text, 5)
puts text.held # => 5

# Objects that other threads have too.
shared = KINDS.map(&:new)
threads = 3.times.map { |n| Thread.new { 200.times { |i| shared.each { |t| hold(t, n); count_of(t) } } } }
threads.each(&:join)
puts shared.map(&:held).all? { |v| (0..2).cover?(v) } # => true
puts shared.map { |t| count_of(t) }.uniq.inspect # => [0]
