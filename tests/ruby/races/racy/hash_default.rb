# args: --race-report
# stderr: race: key :x of a Hash
# parallel: no, the report is the whole VM's
# A default block that stores: both may make the value.
cache = Hash.new { |hash, key| hash[key] = key.to_s }
2.times.map { Thread.new { cache[:x] } }.each(&:join)
