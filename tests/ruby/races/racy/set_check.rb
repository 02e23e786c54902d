# args: --race-report
# stderr: race: key 1 of a Set
# parallel: no, the report is the whole VM's
# Check, then act, with a Set.
set = Set.new
2.times.map { Thread.new { set.add(1) unless set.include?(1) } }.each(&:join)
