# args: --race-report
# parallel: no, the report is the whole VM's
# Who sees that a Queue is not empty knows of what was before.
queue = Queue.new
x = 0
thread = Thread.new { x = 1; queue << :done }
Thread.pass while queue.empty?
p x # => 1
thread.join
