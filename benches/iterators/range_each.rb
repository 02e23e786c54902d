# Range#each.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sum = 0
(1..6_000_000).each { |i| sum += i }
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
