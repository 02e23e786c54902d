# args: --race-report
# stderr: race: key :a of a Hash
# parallel: no, the report is the whole VM's
# The value of a key is counted up.
counts = { a: 0 }
2.times.map { Thread.new { counts[:a] += 1 } }.each(&:join)
