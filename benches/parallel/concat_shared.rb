# All threads append to one string; every appended piece must be found in the result.
#
# Usage: concat_shared.rb [THREADS] [APPENDS]. APPENDS is the total, divided among the threads,
# so that the time with one thread is that of one thread doing all the work.
threads = (ARGV[0] || 2).to_i
appends = (ARGV[1] || 10_000_000).to_i / threads
piece_of = ->(i) { ("a".ord + i).chr * 3 }
text = +""

started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
workers = Array.new(threads) do |i|
  Thread.new do
    piece = piece_of.(i)
    appends.times { text << piece }
  end
end
workers.each(&:join)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started

raise "lost #{threads * appends * 3 - text.size} characters" if text.size != threads * appends * 3

threads.times do |i|
  letter = piece_of.(i)[0]
  found = text.count(letter)
  raise "#{found} instead of #{appends * 3} of #{letter}" if found != appends * 3
end
raise "a piece was torn" unless text.gsub(/(.)\1\1/, "").empty?

puts "result: #{text.size}"
puts format("wall: %.6f", elapsed)
