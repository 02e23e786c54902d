# args: --race-report
# stderr: race: local variable n
# parallel: no, the report is the whole VM's
# A fiber of one thread, and another thread.
n = 0
a = Thread.new { Fiber.new { n += 1 }.resume }
b = Thread.new { n += 1 }
[a, b].each(&:join)
