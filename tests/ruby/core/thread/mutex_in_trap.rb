# parallel: no, signal handlers are the process's
# A handler may have interrupted whoever holds the lock, so it cannot wait for one.
require "monitor"

def message = yield rescue "#{$!.class}: #{$!.message}"

m = Mutex.new
done = Queue.new
trap(:USR1) do
  puts message { m.lock }
  puts message { m.synchronize { 1 } }
  puts message { Monitor.new.synchronize { 1 } }
  puts message { m.try_lock }
  m.unlock
  # Another thread is in no handler.
  puts message { Thread.new { m.synchronize { :thread } }.value.inspect }
  done << true
end
Process.kill(:USR1, $$)
done.pop
# => ThreadError: can't be called from trap context
# => ThreadError: can't be called from trap context
# => ThreadError: can't be called from trap context
# => true
# => :thread
puts m.synchronize { "free again" } # => free again
trap(:USR2) { raise "out of the handler" }
begin
  Process.kill(:USR2, $$)
  sleep 10
rescue => e
  puts e.message, m.synchronize { "and again" }
end
# => out of the handler
# => and again
trap(:EXIT) { puts message { m.lock } }
# => ThreadError: can't be called from trap context
