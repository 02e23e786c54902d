# Array#sort_by and #max_by.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
list = Array.new(2_000) { |i| i * 7919 % 2003 }
last = nil
350.times { last = [list.sort_by { |x| -x }.first, list.max_by { |x| x % 97 }] }
puts last.inspect
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
