# args: --race-report
# parallel: no, the report is the whole VM's
# A Mutex orders.
n = 0
lock = Mutex.new
4.times.map { Thread.new { 5.times { lock.synchronize { n += 1 } } } }.each(&:join)
p n # => 20
