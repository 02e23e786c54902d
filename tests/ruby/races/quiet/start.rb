# args: --race-report
# parallel: no, the report is the whole VM's
# What was before Thread.new is before the thread.
table = { a: 1 }
table[:b] = 2
threads = 3.times.map { Thread.new { table[:a] + table[:b] } }
p threads.sum(&:value) # => 9
