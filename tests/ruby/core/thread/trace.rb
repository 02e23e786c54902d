# parallel: no, one trace at a time
# RubyVM.trace: what threads wait for, as trace events.
require "json"
require "tmpdir"

def traced
  Dir.mktmpdir do |dir|
    value = RubyVM.trace("#{dir}/t.json") { yield }
    [value, JSON.parse(File.read("#{dir}/t.json"))["traceEvents"]]
  end
end

def spans(events, kind) = events.select { |e| e["ph"] == "X" && e["cat"] == kind }

mutex = Mutex.new
queue = Queue.new
value, events = traced do
  mutex.lock
  waiter = Thread.new { Thread.current.name = "waiter"; mutex.synchronize { 1 } }; mutex_line = __LINE__
  Thread.pass until waiter.stop?
  sleep 0.05
  mutex.unlock
  waiter.join
  popper = Thread.new { queue.pop }
  joiner = Thread.new { popper.join }
  Thread.pass until popper.stop? && joiner.stop?
  # A wait that ends at once is none.
  sleep 0.01
  queue << 1
  joiner.join
  r, w = IO.pipe
  reader = Thread.new { r.read(1) }
  Thread.pass until reader.stop?
  sleep 0.01
  w << "x"
  reader.join
  GC.start
  mutex_line
end

wait = spans(events, "wait").find { |e| e["name"] == "Thread::Mutex" }
p wait["dur"] >= 40_000, wait["args"]["at"].end_with?("trace.rb:#{value}") # => true
# => true
# It was held by the main thread.
main = events.find { |e| e["ph"] == "M" && e["name"] == "thread_name" && e["tid"] == wait["args"]["held_by"] }
p main.nil? # => false
name = events.find { |e| e["ph"] == "M" && e["name"] == "thread_name" && e["tid"] == wait["tid"] }["args"]["name"]
p name.end_with?(": waiter") || name # => true
p spans(events, "wait").any? { |e| e["name"] == "Thread::Queue" } # => true
p spans(events, "wait").any? { |e| e["name"] == "Thread" && e["args"]["held_by"] } # => true
p spans(events, "sleep").any? { |e| e["dur"] >= 40_000 } || events # => true
p spans(events, "io").any? { |e| e["name"] == "IO#read" } || spans(events, "io") # => true
p spans(events, "collection").map { |e| e["name"] }.include?("major collection") # => true
p spans(events, "thread").size >= 4 # => true
p events.select { |e| e["ph"] == "X" }.all? { |e| e["ts"] >= 0 && e["dur"] >= 0 && e["pid"] == 1 } # => true
p events.find { |e| e["name"] == "process_name" }["args"]["name"] # => "VM main"

# Fibers that wait while their thread goes on.
_, events = traced do
  Thread.new do
    Fiber.set_scheduler(Fiber::Scheduler::Default.new)
    r, w = IO.pipe
    Fiber.schedule { r.read(1) }
    Fiber.schedule { sleep 0.01; w << "x" }
  end.join
end
fibers = events.select { |e| e["name"] == "thread_name" && e["args"]["name"].start_with?("fiber ") }.map { |e| e["tid"] }.uniq
p fibers.size # => 2
p events.select { |e| fibers.include?(e["tid"]) && e["ph"] == "X" }.map { |e| e["cat"] }.uniq.sort # => ["io", "sleep"]

# What is raised goes on; a trace within a trace is refused; so is a file that cannot be made.
begin
  traced { RubyVM.trace("/dev/null") { } }
rescue RuntimeError => e
  p e.message # => "the VM is traced already"
end
begin
  RubyVM.trace("/nowhere/t.json") { }
rescue SystemCallError => e
  p e.class # => Errno::ENOENT
end
p traced { 42 }.first # => 42
