# args: --race-report
# parallel: no, the report is the whole VM's
# So is taking an element; what was taken belongs to the thread.
Task = Struct.new(:n)
tasks = Array.new(8) { |i| Task.new(i) }
sums = 2.times.map { Thread.new { sum = 0; while (task = tasks.shift) do task.n += 1; sum += task.n end; sum } }
p sums.sum(&:value) # => 36
