# Array#each_with_index.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
list = Array.new(1_000) { |i| i }
sum = 0
5_000.times { list.each_with_index { |x, i| sum += x - i + 1 } }
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
