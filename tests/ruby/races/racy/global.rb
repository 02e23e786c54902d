# args: --race-report
# stderr: race: $hits
# parallel: no, the report is the whole VM's
# A global variable is counted up.
$hits = 0
2.times.map { Thread.new { $hits += 1 } }.each(&:join)
