# args: --race-report
# parallel: no, the report is the whole VM's
# Thread#wakeup.
x = nil
thread = Thread.new { Thread.stop; x }
Thread.pass until thread.stop?
x = 3
thread.wakeup
p thread.value # => 3
