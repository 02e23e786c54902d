# Naive Fibonacci on each thread.
#
# Usage: fib.rb [THREADS] [SIZE]. Every thread does the same work on data of its own.
def fib(n)
  n < 2 ? n : fib(n - 1) + fib(n - 2)
end

def work(size)
  fib(size)
end

threads = (ARGV[0] || 2).to_i
size = (ARGV[1] || 36).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
results = Array.new(threads) { Thread.new { work(size) } }.map(&:value)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
raise "threads disagree: #{results.inspect}" unless results.uniq.size == 1

puts "result: #{results.first}"
puts format("wall: %.6f", elapsed)
