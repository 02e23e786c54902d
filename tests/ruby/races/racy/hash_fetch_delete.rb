# args: --race-report
# stderr: race: key 1 of a Hash
# parallel: no, the report is the whole VM's
# One thread fetches a key that another one deletes.
table = { 1 => 2 }
a = Thread.new { table.fetch(1, nil) }
b = Thread.new { table.delete(1) }
[a, b].each(&:join)
