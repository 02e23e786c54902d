# args: --race-report
# parallel: no, the report is the whole VM's
# Each thread has a key of its own.
results = {}
4.times.map { |i| Thread.new { results[i] ||= 0; results[i] += i } }.each(&:join)
p results.values.sort # => [0, 1, 2, 3]
