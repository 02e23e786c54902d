# args: --race-report
# stderr: race: $
# parallel: no, the report is the whole VM's
# Two names of one global variable.
$first = 0
alias $second $first
a = Thread.new { $first = 1 }
b = Thread.new { $second = 2 }
[a, b].each(&:join)
