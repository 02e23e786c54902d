# args: --race-report
# parallel: no, the report is the whole VM's
# Appending is one step, and meant so.
list = []
4.times.map { |i| Thread.new { 3.times { list << i } } }.each(&:join)
p list.size # => 12
