# Ten million calls of a method, of a Proc, and resumptions of a fiber.
#
# Usage: calls.rb method|proc|fiber [COUNT]
WHAT = ARGV[0] || "fiber"
COUNT = (ARGV[1] || 10_000_000).to_i

def test; end
block = proc {}
fiber = Fiber.new { Fiber.yield while true }
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
case WHAT
when "method" then COUNT.times { test }
when "proc" then COUNT.times { block.call }
when "fiber" then COUNT.times { fiber.resume }
else raise ArgumentError, WHAT
end
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
puts format("wall: %.6f", elapsed)
