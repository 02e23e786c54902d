# Enumerable#each_slice and #each_cons.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
list = Array.new(1_000) { |i| i }
sum = 0
1_200.times do
  list.each_slice(4) { |slice| sum += slice.size }
  list.each_cons(2) { |a, b| sum += b - a }
end
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
