# args: --race-report
# parallel: no, the report is the whole VM's
# Who sees that a thread waits knows of what it did.
x = nil
queue = Queue.new
thread = Thread.new { x = 4; queue.pop }
Thread.pass until thread.stop?
p x # => 4
queue << 1
thread.join
