# args: --race-report
# parallel: no, the report is the whole VM's
# A condition of a Monitor.
require "monitor"
monitor = Monitor.new
ready = monitor.new_cond
value = nil
taker = Thread.new { monitor.synchronize { ready.wait_while { value.nil? }; value += 1 } }
monitor.synchronize { value = 1; ready.signal }
p taker.value # => 2
