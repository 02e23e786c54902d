# args: --race-report
# stderr: race: an Array
# parallel: no, the report is the whole VM's
# The last element, and one that is taken away.
list = [1, 2]
a = Thread.new { list[-1] }
b = Thread.new { list.pop }
[a, b].each(&:join)
