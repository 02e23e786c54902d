# Small programs that measure what CRuby's own fiber benchmarks of the same names do.
#
# Usage: named.rb chain|allocate|reuse|switch|locals|next|peek|scan [COUNT]
#   chain     a value handed down a row of fibers, each of which resumes the next
#   allocate  fibers made and run to their end, a thousand alive at a time
#   reuse     fibers made and run, one after the other
#   switch    resume and yield of one fiber
#   locals    a fiber's own variable read and written between switches
#   next      Enumerator#next over an Array
#   peek      Enumerator#peek and #next over a Range
#   scan      Enumerator#next over an Enumerator with a block
WHAT = ARGV[0] || "switch"
COUNT = (ARGV[1] || 1_000_000).to_i

def chain(count)
  last = Fiber.new { |v| loop { v = Fiber.yield(v) } }
  99.times do
    following = last
    last = Fiber.new { |v| loop { v = Fiber.yield(following.resume(v)) } }
  end
  (count / 100).times { |i| last.resume(i) }
end

def allocate(count)
  (count / 1000).times do
    fibers = Array.new(1000) { Fiber.new { Fiber.yield 1 } }
    fibers.each(&:resume)
    fibers.each(&:resume)
  end
end

def reuse(count)
  count.times { Fiber.new { 1 }.resume }
end

def switch(count)
  fiber = Fiber.new { Fiber.yield while true }
  count.times { fiber.resume }
end

def locals(count)
  fiber = Fiber.new do
    Thread.current[:counter] = 0
    while true
      Thread.current[:counter] += 1
      Fiber.yield
    end
  end
  count.times { fiber.resume }
end

def external(enum, count)
  count.times { enum.next }
end

started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
case WHAT
when "chain" then chain(COUNT)
when "allocate" then allocate(COUNT)
when "reuse" then reuse(COUNT)
when "switch" then switch(COUNT)
when "locals" then locals(COUNT)
when "next" then external(Array.new(COUNT, 1).each, COUNT)
when "peek"
  enum = (1..).each
  COUNT.times { enum.peek; enum.next }
when "scan" then external(Enumerator.new { |y| i = 0; y << (i += 1) while true }, COUNT)
else raise ArgumentError, WHAT
end
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
puts format("wall: %.6f", elapsed)
