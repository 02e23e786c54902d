# Creates and joins threads that do nothing, one after the other.
#
# Usage: thread_create.rb [COUNT]
count = (ARGV[0] || 20_000).to_i
1000.times { Thread.new {}.join }
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
count.times { Thread.new {}.join }
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started

puts "result: #{count}"
puts format("wall: %.6f", elapsed)
