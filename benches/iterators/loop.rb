# Kernel#loop left by break.
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sum = 0
loop do
  sum += 1
  break if sum == 8_000_000
end
puts sum
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
