# Integer#step.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sum = 0
1.step(9_000_000, 2) { |i| sum += i }
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
