# args: --race-report
# parallel: no, the report is the whole VM's
# So does a try that succeeds.
n = 0
lock = Mutex.new
4.times.map { Thread.new { Thread.pass until lock.try_lock; n += 1; lock.unlock } }.each(&:join)
p n # => 4
