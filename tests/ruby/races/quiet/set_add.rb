# args: --race-report
# parallel: no, the report is the whole VM's
# Set#add? says who was first.
set = Set.new
firsts = 4.times.map { Thread.new { set.add?(1) ? 1 : 0 } }
p firsts.sum(&:value) # => 1
