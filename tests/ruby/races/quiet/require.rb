# args: --race-report
# parallel: no, the report is the whole VM's
# Who requires a file that another thread loads waits for that.
p 3.times.map { Thread.new { require_relative "_loaded"; Loaded.list[0] } }.sum(&:value) # => 3
