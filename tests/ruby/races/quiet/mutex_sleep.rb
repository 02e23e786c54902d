# args: --race-report
# parallel: no, the report is the whole VM's
# Mutex#sleep gives the lock up and takes it again.
lock = Mutex.new
n = 0
sleeper = Thread.new { lock.synchronize { n += 1; lock.sleep(0.01) while n < 2; n += 1 } }
Thread.pass until lock.synchronize { n == 1 && n += 1 }
p sleeper.value # => 3
