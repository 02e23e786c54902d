# args: --race-report
# stderr: race: element 5 of an Array
# parallel: no, the report is the whole VM's
# Of many threads only two touch the same element.
list = Array.new(10, 0)
(0..8).map { |i| Thread.new { list[i] = 1 } }.push(Thread.new { list[5] = 2 }).each(&:join)
