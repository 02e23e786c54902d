# args: --race-report
# parallel: no, the report is the whole VM's
# A join that has waited in vain orders nothing, and needs not.
queue = Queue.new
thread = Thread.new { queue.pop }
p thread.join(0.001) # => nil
queue << 1
p thread.value # => 1
