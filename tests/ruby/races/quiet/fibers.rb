# args: --race-report
# parallel: no, the report is the whole VM's
# Fibers of one thread.
n = 0
fibers = 3.times.map { Fiber.new { 3.times { n += 1; Fiber.yield } } }
3.times { fibers.each(&:resume) }
p n # => 9
