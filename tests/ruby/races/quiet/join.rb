# args: --race-report
# parallel: no, the report is the whole VM's
# What a thread did is before who has joined it.
x = 0
Thread.new { x += 1 }.join
Thread.new { x += 1 }.join
p x # => 2
