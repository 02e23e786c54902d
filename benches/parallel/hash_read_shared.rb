# One hash of 100,000 entries, read by all threads.
#
# Usage: hash_read_shared.rb [THREADS] [ROUNDS]. Every thread reads all entries ROUNDS times.
TABLE = {}
KEYS = Array.new(100_000) { |i| i.even? ? i : "key#{i}" }
KEYS.each_with_index { |key, i| TABLE[key] = i }

def work(rounds)
  sum = 0
  rounds.times { KEYS.each { |key| sum += TABLE[key] } }
  sum
end

threads = (ARGV[0] || 2).to_i
rounds = (ARGV[1] || 60).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
results = Array.new(threads) { Thread.new { work(rounds) } }.map(&:value)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
raise "threads disagree: #{results.inspect}" unless results.uniq == [rounds * (0...100_000).sum]

puts "result: #{results.first}"
puts format("wall: %.6f", elapsed)
