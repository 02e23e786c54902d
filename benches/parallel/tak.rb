# Takeuchi's function on each thread.
#
# Usage: tak.rb [THREADS] [SIZE]. Every thread does the same work on data of its own.
def tak(x, y, z)
  y < x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z
end

def work(size)
  sum = 0
  size.times { |i| sum += tak(18, 11 + i % 2, 6) }
  sum
end

threads = (ARGV[0] || 2).to_i
size = (ARGV[1] || 1000).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
results = Array.new(threads) { Thread.new { work(size) } }.map(&:value)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
raise "threads disagree: #{results.inspect}" unless results.uniq.size == 1

puts "result: #{results.first}"
puts format("wall: %.6f", elapsed)
