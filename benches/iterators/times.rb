# Integer#times with a block that adds.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sum = 0
6_000_000.times { |i| sum += i }
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
