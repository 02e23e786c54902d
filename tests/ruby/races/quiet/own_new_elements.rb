# args: --race-report
# parallel: no, the report is the whole VM's
# Also if they are not there before.
results = []
4.times.map { |i| Thread.new { results[i] ||= i } }.each(&:join)
p results # => [0, 1, 2, 3]
