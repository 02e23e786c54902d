# args: --race-report
# parallel: no, the report is the whole VM's
# Each thread has an element of its own.
results = Array.new(4)
4.times.map { |i| Thread.new { results[i] = i; results[i] += 1 } }.each(&:join)
p results # => [1, 2, 3, 4]
