# args: --race-report
# stderr: race: @x of an Object
# parallel: no, the report is the whole VM's
# Instance variables by name.
object = Object.new
2.times.map { |i| Thread.new { object.instance_variable_set(:@x, i) } }.each(&:join)
