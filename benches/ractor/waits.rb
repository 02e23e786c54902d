# What it costs that threads wait for each other, under any Ruby: the best and the median of many short rounds, in microseconds for
# one hand-over, and the processor time of the whole process for one.
#
# Usage: waits.rb [ROUNDS]
#
# queue: an Integer goes to another thread and back by two Queues. condition: the same by a Mutex and a ConditionVariable. mutex: two
# threads lock one Mutex for a few instructions, by turns with a few of their own. join: a thread is made and joined. idle: a thread waits for a
# Queue into which something comes every millisecond; what spinning in vain would cost.
ROUNDS = (ARGV[0] || 50).to_i

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

def rounds(name, count)
  used = cpu
  times = Array.new(ROUNDS) do
    begun = now
    yield(count)
    (now - begun) / count * 1e6
  end
  used = (cpu - used) / ROUNDS / count * 1e6
  puts format("%-10s best %9.2f  median %9.2f  processor time %9.2f", name, times.min, times.sort[ROUNDS / 2], used)
  $stdout.flush
end

there, back = Queue.new, Queue.new
Thread.new { loop { back << there.pop } }
rounds("queue", 500) do |count|
  count.times do |i|
    there << i
    back.pop
  end
end

lock, changed, turn = Mutex.new, ConditionVariable.new, 0
Thread.new do
  lock.synchronize do
    loop do
      changed.wait(lock) until turn == 1
      turn = 0
      changed.signal
    end
  end
end
rounds("condition", 500) do |count|
  lock.synchronize do
    count.times do
      turn = 1
      changed.signal
      changed.wait(lock) until turn == 0
    end
  end
end

[2, 4].each do |threads|
  shared = 0
  rounds("mutex #{threads}", 20_000) do |count|
    Array.new(threads) do
      Thread.new do
        mine = 0
        (count / threads).times do
          lock.synchronize { shared += 1 }
          10.times { mine += 1 }
        end
      end
    end.each(&:join)
  end
end

rounds("join", 50) { |count| count.times { Thread.new { 1 }.join } }

source = Queue.new
Thread.new { loop { source.pop } }
rounds("idle", 5) do |count|
  count.times do
    source << 1
    sleep 0.001
  end
end
