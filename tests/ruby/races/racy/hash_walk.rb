# args: --race-report
# stderr: race: a Hash
# parallel: no, the report is the whole VM's
# One thread walks over a Hash in which another one stores.
table = { 1 => 2 }
walker = Thread.new { table.each { |k, v| k } }
writer = Thread.new { table[3] = 4 }
[walker, writer].each(&:join)
