# args: --race-report
# parallel: no, the report is the whole VM's
# A ConditionVariable.
lock = Mutex.new
ready = ConditionVariable.new
state = nil
waiter = Thread.new { lock.synchronize { ready.wait(lock) until state; state } }
lock.synchronize { state = :go; ready.broadcast }
p waiter.value # => :go
