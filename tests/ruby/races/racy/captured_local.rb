# args: --race-report
# stderr: race: local variable total
# parallel: no, the report is the whole VM's
# A local variable that two blocks share.
total = 0
2.times.map { Thread.new { total += 1 } }.each(&:join)
