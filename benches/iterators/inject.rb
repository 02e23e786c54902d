# Array#inject with a block.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
list = Array.new(1_000) { |i| i }
last = nil
5_000.times { last = list.inject { |a, x| a + x } }
puts last
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
