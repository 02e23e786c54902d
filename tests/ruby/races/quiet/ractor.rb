# args: --race-report
# parallel: no, the report is the whole VM's
# A Ractor's messages and value.
Warning[:experimental] = false
ractor = Ractor.new { Ractor.receive.sum }
ractor.send([1, 2, 3])
p ractor.value # => 6
