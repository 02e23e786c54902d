# args: --race-report
# stderr: race: key "k" of a Hash
# parallel: no, the report is the whole VM's
# h[k] ||= v: both may find nothing.
cache = {}
2.times.map { |i| Thread.new { cache["k"] ||= i } }.each(&:join)
