# args: --race-report
# parallel: no, the report is the whole VM's
# Many threads, each behind the one before.
n = 0
40.times { Thread.new { n += 1 }.join }
p n # => 40
