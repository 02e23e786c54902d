# frozen_string_literal: true

# Threads that search with the same patterns at once.
#
# Usage: regexp_search.rb [THREADS] [ROUNDS]. Every thread does the same work.
TEXT = ("the quick brown fox jumps over the lazy dog 127.0.0.1 foo@example.org " * 40).freeze
ADDRESS = /(\w+)@(\w+)\.org/
WORDS = /lazy|foo|fox/

def work(rounds)
  n = 0
  rounds.times do
    n += TEXT.scan(ADDRESS).size
    n += TEXT.scan(WORDS).size
    n += TEXT.gsub(/o/, "0").size
    n += 1 if TEXT =~ /(\d+)\.(\d+)\.(\d+)\.(\d+)/ && $4 == "1"
  end
  n
end

threads = (ARGV[0] || 2).to_i
rounds = (ARGV[1] || 5000).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
results = Array.new(threads) { Thread.new { work(rounds) } }.map(&:value)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
raise "threads disagree: #{results.inspect}" unless results.uniq.size == 1

puts "result: #{results.first}"
puts format("wall: %.6f", elapsed)
