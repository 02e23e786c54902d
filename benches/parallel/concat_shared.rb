# All threads append to one string; every appended piece must be found in the result.
#
# Usage: concat_shared.rb [THREADS] [APPENDS]. APPENDS is the total, divided among the threads,
# so that the time with one thread is that of one thread doing all the work.
threads = (ARGV[0] || 2).to_i
appends = (ARGV[1] || 10_000_000).to_i / threads
pieces = Array.new(threads) { |i| ("a".ord + i).chr * 3 }
text = +""

started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
pieces.map { |piece| Thread.new { appends.times { text << piece } } }.each(&:join)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started

raise "lost #{threads * appends * 3 - text.size} characters" if text.size != threads * appends * 3

pieces.each do |piece|
  found = text.count(piece[0])
  raise "#{found} instead of #{appends * 3} of #{piece[0]}" if found != appends * 3
end
raise "a piece was torn" unless text.gsub(/(.)\1\1/, "").empty?

puts "result: #{text.size}"
puts format("wall: %.6f", elapsed)
