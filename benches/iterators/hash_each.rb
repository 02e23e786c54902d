# Hash#each with two parameters.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
table = (0...1_000).to_h { |i| [i, i * 2] }
sum = 0
5_000.times { table.each { |k, v| sum += v - k } }
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
