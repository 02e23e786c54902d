# Updates of a hash of its own on each thread.
#
# Usage: hash_update.rb [THREADS] [SIZE]. Every thread does the same work on data of its own.
def work(size)
  counts = Hash.new(0)
  names = Array.new(1000) { |i| "name#{i}" }
  by_name = {}
  size.times do |i|
    counts[i & 0xffff] += 1
    by_name[names[(i * 7) % 1000]] = i
    counts.delete(i & 0xffff) if i % 16 == 0
  end
  "#{counts.size} #{counts.values.sum} #{by_name.values.sum}"
end

threads = (ARGV[0] || 2).to_i
size = (ARGV[1] || 4_000_000).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
results = Array.new(threads) { Thread.new { work(size) } }.map(&:value)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
raise "threads disagree: #{results.inspect}" unless results.uniq.size == 1

puts "result: #{results.first}"
puts format("wall: %.6f", elapsed)
