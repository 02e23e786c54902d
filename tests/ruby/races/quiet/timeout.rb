# args: --race-report
# parallel: no, the report is the whole VM's
# Timeout has a thread of its own.
require "timeout"
n = 0
3.times do
  Timeout.timeout(0.005) { n += 1; sleep }
rescue Timeout::Error
  n += 1
end
p n # => 6
