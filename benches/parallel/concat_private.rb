# Appending to a string of its own on each thread.
#
# Usage: concat_private.rb [THREADS] [SIZE]. Every thread does the same work on data of its own.
def work(size)
  length = 0
  10.times do
    text = +""
    (size / 10).times { text << "ab" << "c" }
    length += text.size
  end
  length
end

threads = (ARGV[0] || 2).to_i
size = (ARGV[1] || 10_000_000).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
results = Array.new(threads) { Thread.new { work(size) } }.map(&:value)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
raise "threads disagree: #{results.inspect}" unless results.uniq.size == 1

puts "result: #{results.first}"
puts format("wall: %.6f", elapsed)
