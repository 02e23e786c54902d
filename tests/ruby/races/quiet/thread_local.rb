# args: --race-report
# parallel: no, the report is the whole VM's
# Variables of a thread.
threads = 3.times.map { |i| Thread.new { Thread.current[:n] = i; Thread.current.thread_variable_set(:m, i); Thread.current[:n] += 1 } }
p threads.sum(&:value) # => 6
