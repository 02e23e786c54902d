# Array#each over few elements, called often.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
list = [1, 2, 3]
sum = 0
1_500_000.times { list.each { |x| sum += x } }
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
