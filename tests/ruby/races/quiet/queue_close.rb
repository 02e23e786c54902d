# args: --race-report
# parallel: no, the report is the whole VM's
# So does its end.
queue = Queue.new
done = nil
waiter = Thread.new { queue.pop; done }
done = 1
queue.close
p waiter.value # => 1
