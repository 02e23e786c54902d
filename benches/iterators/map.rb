# Array#map.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
list = Array.new(1_000) { |i| i }
last = nil
5_000.times { last = list.map { |x| x + 1 } }
puts last.sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
