# How many fibers can live at once (figure 8 of the paper that switch.rb names): each is suspended in its block.
#
# Usage: live.rb [COUNT] [ruby|native]
# native: each is suspended in the block of an iterator that is not written in Ruby.
COUNT = (ARGV[0] || 1_000_000).to_i
NATIVE = ARGV[1] == "native"
fibers = []
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
begin
  while fibers.size < COUNT
    fiber = NATIVE ? Fiber.new { [2, 1].sort { |a, b| Fiber.yield; a <=> b } } : Fiber.new { Fiber.yield }
    fiber.resume
    fibers << fiber
  end
rescue FiberError, NoMemoryError => e
  puts "ended: #{e.class}: #{e.message}"
end
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
rss = File.read("/proc/self/status")[/VmRSS:\s*(\d+)/, 1].to_i
puts "live: #{fibers.size}"
puts "rss: #{rss}"
puts format("wall: %.6f", elapsed)
# They still work.
fibers.each_with_index { |fiber, i| fiber.resume if i % 1000 == 0 }
puts "alive: #{fibers.count(&:alive?)}"
