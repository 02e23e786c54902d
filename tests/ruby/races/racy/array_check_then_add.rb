# args: --race-report
# stderr: race: an Array
# parallel: no, the report is the whole VM's
# Check, then act: both may find it missing.
list = []
2.times.map { Thread.new { list << 1 unless list.include?(1) } }.each(&:join)
