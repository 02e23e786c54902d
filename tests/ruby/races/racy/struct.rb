# args: --race-report
# stderr: race: x of a Point
# parallel: no, the report is the whole VM's
# A member of a Struct.
Point = Struct.new(:x, :y)
point = Point.new(1, 2)
2.times.map { |i| Thread.new { point.x = i } }.each(&:join)
