# Two threads that compute run at the same time: more processor time passes than wall-clock time. Where only one
# processor is free that cannot be seen: then two processes do no better.
def work
  x = 0
  2_000_000.times { |i| x = (x * 31 + i) & 0xffff }
  x
end

def ratio
  wall = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  values = 2.times.map { Thread.new { work } }.map(&:value)
  cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - cpu
  wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - wall
  raise "different results" if values.uniq.size != 1
  cpu / wall
end

def overlap
  # Both threads are inside at once, without either of them waiting.
  inside = [0, 0]
  seen = 2.times.map do |id|
    Thread.new do
      other = 1 - id
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 5
      inside[id] = 1
      until inside[other] == 1 || Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
      end
      inside[other] == 1
    end
  end
  seen.map(&:value)
end

# The same of two processes: what the machine has to give at this moment.
def processes_ratio
  program = "x = 0; 2_000_000.times { |i| x = (x * 31 + i) & 0xffff }"
  spent = -> { Process.times.then { |t| t.cutime + t.cstime } }
  wall = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  cpu = spent.call
  2.times.map { Process.spawn(RbConfig.ruby, "-e", program) }.each { |pid| Process.wait(pid) }
  (spent.call - cpu) / (Process.clock_gettime(Process::CLOCK_MONOTONIC) - wall)
end

p overlap # => [true, true]
# Threads that take turns never get beyond 1, whatever the machine has.
parallel = 10.times.any? { ratio > 1.2 || processes_ratio < 1.3 }
puts "parallel: #{parallel}" # => parallel: true
# parallel: no, it takes all cores itself
