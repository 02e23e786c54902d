# args: --race-report
# stderr: race: an Array
# parallel: no, the report is the whole VM's
# The length is asked for while another thread appends.
list = [1]
asker = Thread.new { list.size }
adder = Thread.new { list.push(2) }
[asker, adder].each(&:join)
