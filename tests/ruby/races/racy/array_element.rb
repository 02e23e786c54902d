# args: --race-report
# stderr: race: element 1 of an Array
# parallel: no, the report is the whole VM's
# An element of an Array is assigned by both.
list = [0, 0, 0]
2.times.map { |i| Thread.new { list[1] = i } }.each(&:join)
