# args: --race-report
# stderr: race: local variable done
# parallel: no, the report is the whole VM's
# One thread writes a local variable, the one that started it reads it before it joins.
done = false
thread = Thread.new { done = true }
seen = done
thread.join
