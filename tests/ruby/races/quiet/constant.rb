# args: --race-report
# parallel: no, the report is the whole VM's
# Constants that a thread defines.
queue = Queue.new
thread = Thread.new { Object.const_set(:LIST, [1, 2]); queue << 1 }
queue.pop
p LIST[0] # => 1
thread.join
