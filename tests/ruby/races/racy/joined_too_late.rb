# args: --race-report
# stderr: race: local variable x
# parallel: no, the report is the whole VM's
# The first thread is joined after the second one was started.
x = 0
first = Thread.new { x = 1 }
second = Thread.new { x = 2 }
first.join
second.join
