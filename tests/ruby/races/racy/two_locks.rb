# args: --race-report
# stderr: race: local variable n
# parallel: no, the report is the whole VM's
# Each thread has a lock of its own: they order nothing.
n = 0
2.times.map { lock = Mutex.new; Thread.new { lock.synchronize { n += 1 } } }.each(&:join)
