# Different work at the same time: half of the threads compute Fibonacci numbers,
# the other half append to strings of their own.
#
# Usage: hetero.rb [THREADS] [SIZE]
def fib(n)
  n < 2 ? n : fib(n - 1) + fib(n - 2)
end

def concat(count)
  length = 0
  10.times do
    text = +""
    (count / 10).times { text << "abc" }
    length += text.size
  end
  length
end

threads = (ARGV[0] || 4).to_i
size = (ARGV[1] || 32).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
results = Array.new(threads) do |i|
  Thread.new { i.even? ? fib(size) : concat(8_000_000) }
end.map(&:value)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
raise "threads disagree: #{results.inspect}" if results.uniq.size > 2

puts "result: #{results.first} #{results[1]}"
puts format("wall: %.6f", elapsed)
