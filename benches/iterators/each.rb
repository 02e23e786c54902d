# Array#each over many elements.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
list = Array.new(1_000) { |i| i }
sum = 0
6_000.times { list.each { |x| sum += x } }
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
