# args: --race-report
# stderr: race: an Array
# parallel: no, the report is the whole VM's
# One thread walks over an Array that another one appends to.
list = [1, 2, 3]
walker = Thread.new { list.each { |n| n } }
adder = Thread.new { list << 4 }
[walker, adder].each(&:join)
