# Integer#upto with a block that adds.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sum = 0
1.upto(6_000_000) { |i| sum += i }
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
