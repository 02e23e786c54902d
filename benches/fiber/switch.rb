# Switches between the main fiber and another one that waits DEPTH calls deep, each inside a block of Integer#times
# (Shiba and Sasada, "A Fast Fiber Implementation for Ruby 1.9", figure 4).
#
# Usage: switch.rb [DEPTH] [COUNT]
# With DEPTH = loop the same loop runs without fibers: what the loop itself costs.
# CRuby needs RUBY_FIBER_VM_STACK_SIZE and RUBY_FIBER_MACHINE_STACK_SIZE to be raised for a depth of 1000.
DEPTH = ARGV[0] || "0"
COUNT = (ARGV[1] || 3_000_000).to_i

def nest(depth)
  if depth == 0
    while true
      Fiber.yield
    end
  else
    1.times { nest(depth - 1) }
  end
end

started = nil
if DEPTH == "loop"
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  COUNT.times {}
else
  fiber = Fiber.new { nest(DEPTH.to_i) }
  fiber.resume
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  COUNT.times { fiber.resume }
end
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
puts format("wall: %.6f", elapsed)
