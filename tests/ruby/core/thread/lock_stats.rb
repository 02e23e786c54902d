# args: --lock-stats
# stderr: mutex
# stderr: VM main: locks in
# stderr: VM other: locks in
# parallel: no, the counts are those of the whole VM
# What is counted of locks: RubyVM.locks, and the table at the end.
require "monitor"

def find(kind, line) = RubyVM.locks.select { |row| row[:kind] == kind && row[:site].end_with?("#{File.basename(__FILE__)}:#{line}") }

free = Mutex.new; free_line = __LINE__
5.times { free.synchronize { } }
free.lock
p free.try_lock # => false
free.unlock
p free.try_lock # => true
free.unlock
row = find(:mutex, free_line)[0]
p row.values_at(:taken, :contended, :spun, :parked, :waited, :longest) # => [7, 0, 0, 0, 0.0, 0.0]
p row[:per_second] > 0 # => true
p row.keys # => [:kind, :site, :taken, :contended, :spun, :parked, :per_second, :waited, :longest]

# Mutexes of one line are one site.
many = 3.times.map { Mutex.new }; many_line = __LINE__
many.each { |mutex| mutex.synchronize { } }
p find(:mutex, many_line).map { |r| r[:taken] } # => [3]

# A wait is counted when it is over.
held = Mutex.new; held_line = __LINE__
held.lock
waiter = Thread.new { held.synchronize { :had } }
Thread.pass until waiter.stop?
sleep 0.05
held.unlock
p waiter.value # => :had
row = find(:mutex, held_line)[0]
p row.values_at(:taken, :contended, :parked) # => [2, 1, 1]
p row[:longest] >= 0.04 && row[:waited] >= row[:longest] # => true

# A wait that is given up is none that took the lock.
held.lock
killed = Thread.new { held.lock }
Thread.pass until killed.stop?
killed.kill.join
held.unlock
p find(:mutex, held_line)[0][:taken] # => 3

# A Monitor entered again is taken once.
monitor = Monitor.new; monitor_line = __LINE__
2.times { monitor.synchronize { monitor.synchronize { } } }
p find(:monitor, monitor_line)[0].values_at(:taken, :contended) # => [2, 0]

# A fiber that waits.
Thread.new do
  Fiber.set_scheduler(Fiber::Scheduler::Default.new)
  between = Mutex.new
  Fiber.schedule { between.synchronize { sleep 0.01 } }
  Fiber.schedule { between.synchronize { } }
end.join
row = find(:mutex, __LINE__ - 4)[0]
p row.values_at(:taken, :parked) # => [2, 1]

# Queues, by the line that waits.
queue = Queue.new
popper = Thread.new { queue.pop }; pop_line = __LINE__
Thread.pass until popper.stop?
queue << 1
p popper.value # => 1
row = find(:wait, pop_line)[0]
p row[:parked] # => 1
p row[:site].start_with?("Thread::Queue at ") # => true

# A fiber that waits for a queue.
Thread.new do
  Fiber.set_scheduler(Fiber::Scheduler::Default.new)
  between = Queue.new
  Fiber.schedule { between.pop }
  Fiber.schedule { sleep 0.01; between << 1 }
end.join
row = find(:wait, __LINE__ - 3)[0]
p row[:parked], row[:longest] >= 0.009 # => 1
# => true

# Objects: one that a thread takes from another, and one that several change.
shared = Class.new(Array).new
Shared = shared.class
4.times.map { Thread.new { 1000.times { |i| shared << i } } }.each(&:join)
p shared.size # => 4000
rows = RubyVM.locks.select { |r| r[:site].start_with?("Shared at ") }
p rows.any? { |r| r[:kind] == :object && r[:taken] >= 1000 } # => true
p rows.any? { |r| r[:kind] == :ownership } # => true
p rows.all? { |r| r[:contended] == r[:spun] + r[:parked] && r[:contended] <= r[:taken] } # => true

# The classes that have sites stay alive through collections.
10.times do
  object = Class.new.new
  2.times.map { Thread.new { 10.times { |i| object.instance_variable_set("@v#{i}", i) } } }.each(&:join)
end
GC.start
p RubyVM.locks.all? { |r| r[:site].is_a?(String) && !r[:site].empty? } # => true
p RubyVM.locks.any? { |r| r[:kind] == :stop } # => true

# Another VM counts for itself.
other = RubyVM.new("other", source: "m = Mutex.new; 2.times { m.synchronize { } }; RubyVM.locks.map { |r| [r[:kind], r[:taken]] }.assoc(:mutex)").start
p other.value # => [:mutex, 2]
