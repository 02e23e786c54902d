# Creates BATCH fibers, then runs them to their end, again and again (figure 6 of the paper that switch.rb names).
#
# Usage: create.rb [BATCH] [TOTAL] [loop]
# With loop the same loops run without fibers: what the loops themselves cost.
BATCH = (ARGV[0] || 1).to_i
TOTAL = (ARGV[1] || 1_000_000).to_i
fibers = Array.new(BATCH)
rounds = TOTAL / BATCH

started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
if ARGV[2] == "loop"
  rounds.times do
    BATCH.times { |i| fibers[i] = nil }
    BATCH.times { |i| fibers[i] }
  end
else
  rounds.times do
    BATCH.times { |i| fibers[i] = Fiber.new {} }
    BATCH.times { |i| fibers[i].resume }
  end
end
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
puts format("wall: %.6f", elapsed)
