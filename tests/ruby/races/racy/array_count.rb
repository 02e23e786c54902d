# args: --race-report
# stderr: race: element 0 of an Array
# parallel: no, the report is the whole VM's
# An element of an Array is counted up.
counts = [0]
2.times.map { Thread.new { counts[0] += 1 } }.each(&:join)
