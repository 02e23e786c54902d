# args: --race-report
# parallel: no, the report is the whole VM's
# The same by Thread#value.
list = [0]
thread = Thread.new { list[0] = 5; list }
p thread.value[0] # => 5
