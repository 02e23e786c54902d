# Thread: making, joining, asking, variables.
def try
  yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

p Thread.new(1, [2, 3], k: 4) { |a, (b, c), k:| [a, b, c, k] }.value # => [1, 2, 3, 4]
p Thread.new([1, 2]) { |a, b| [a, b] }.value # => [1, 2]
p Thread.start(1) { |x| x }.value, Thread.fork { 2 }.value # => 1
# => 2
try { Thread.new } # => ThreadError: must be called with a block
try { Thread.allocate } # => TypeError: allocator undefined for Thread
try { Thread.current.join } # => ThreadError: Target thread must not be current thread
try { Thread.new { Thread.main.join rescue $!.message }.value.then { puts _1 } } # => Target thread must not be main thread

class Doubling < Thread
  def initialize(x)
    super() { x * 2 }
  end
end
p Doubling.new(4).value # => 8
class Lazy < Thread
  def initialize = nil
end
try { Lazy.new {} } # => ThreadError: uninitialized thread - check 'Lazy#initialize'

t = Thread.new { Thread.stop; :end }
Thread.pass until t.stop?
p t.status, t.alive?, t.join(0.001) # => "sleep"
# => true
# => nil
p t.inspect.sub(/0x\h+/, "0x").sub(/ \S*thread\.rb/, " thread.rb") # => "#<Thread:0x thread.rb:28 sleep_forever>"
p t.run.equal?(t), t.join.equal?(t), t.value # => true
# => true
# => :end
p t.status, t.alive?, t.stop?, t.backtrace # => false
# => false
# => true
# => nil
try { t.wakeup } # => ThreadError: killed thread
p t.raise("late"), t.kill.equal?(t) # => nil
# => true

t = Thread.new { Thread.current.report_on_exception = false; raise ArgumentError, "bad" }
2.times { try { t.join } } # => ArgumentError: bad
# => ArgumentError: bad
p t.status # => nil
p Thread.new { Thread.exit; :not }.value # => nil
p Thread.new { Thread.current.status }.value # => "run"
steps = []
t = Thread.new do
  begin
    sleep
  ensure
    steps << Thread.current.status
  end
  steps << :not
end
Thread.pass until t.stop?
p t.kill.join.equal?(t), t.value, steps # => true
# => nil
# => ["aborting"]

p Thread.current.equal?(Thread.main), Thread.main.inspect.end_with?(" run>") # => true
# => true
t = Thread.new { sleep }
p Thread.list.size, Thread.list.include?(t) # => 2
# => true
t[:a] = 1
t["b"] = 2
p t[:a], t["b"], t[:c], t.key?(:a), t.key?(:c), t.keys # => 1
# => 2
# => nil
# => true
# => false
# => [:a, :b]
t[:a] = nil
p t.keys, t.fetch(:b), t.fetch(:c, 0), t.fetch(:c) { |k| k } # => [:b]
# => 2
# => 0
# => :c
try { t.fetch(:c) } # => KeyError: key not found: :c
t.thread_variable_set(:v, 3)
p t.thread_variable_get("v"), t.thread_variable?(:v), t.thread_variable?(:b), t.thread_variables # => 3
# => true
# => false
# => [:v]
p t.name, (t.name = "worker"), t.name # => nil
# => "worker"
# => "worker"
p t.to_s.include?("@worker ") # => true
p t.priority, (t.priority = 9), t.priority, (t.priority = -9), t.priority # => 0
# => 9
# => 3
# => -9
# => -3
p t.group == ThreadGroup::Default # => true
group = ThreadGroup.new
group.add(t)
p group.list == [t], ThreadGroup::Default.list == [Thread.main] # => true
# => true
group.enclose
p group.enclosed? # => true
try { ThreadGroup::Default.add(t) } # => ThreadError: can't move from the enclosed thread group
Thread.pass until t.stop?
p t.native_thread_id.is_a?(Integer) # => true
t.kill.join

p Thread.report_on_exception, Thread.abort_on_exception, Thread.new {}.report_on_exception # => true
# => false
# => true
Thread.new { Thread.current.report_on_exception = false; throw :nowhere }.join rescue puts $!.message # => uncaught throw :nowhere
jump = proc { Thread.current.report_on_exception = false; return }
try { Thread.new(&jump).join } # => LocalJumpError: unexpected return
# The exception of a thread without anybody to tell goes to stderr.
begin
  Thread.new { raise IOError, "reported" }.join
rescue IOError
end
# stderr: thread.rb:118 run> terminated with exception (report_on_exception is true):
# stderr: reported (IOError)

try { sleep(-1) } # => ArgumentError: time interval must not be negative
try { sleep("1") } # => TypeError: can't convert String into time interval
p sleep(0), sleep(0.001), sleep(0.0) # => 0
# => 0
# => 0
# Backtrace of a thread that waits.
def wait_here(queue) = queue.pop
queue = Queue.new
t = Thread.new { wait_here(queue) }
Thread.pass until t.stop?
puts t.backtrace.map { |line| line[/in .*/] } # => in 'Thread::Queue#pop'
# => in 'Object#wait_here'
# => in 'block in <main>'
p t.backtrace_locations.map(&:lineno).size, t.backtrace_locations(1, 1).map(&:base_label) # => 3
# => ["wait_here"]
queue << 1
t.join
# parallel: no, it expects to run in the main thread

# A timeout is what says how many seconds it is.
p Thread.new {}.join(Struct.new(:to_f).new(5.0)).status # => false
p((Thread.new {}.join(Struct.new(:to_f).new(1)) rescue $!.class), (Thread.new {}.join(:a) rescue $!)) # => TypeError
# => #<TypeError: can't convert Symbol into Float>

# A name that is not ASCII is shown with a place.
CÄ = Class.new(Thread)
p CÄ.new { }.join.inspect.include?("#<CÄ:") # => true
