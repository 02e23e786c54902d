# Where a fiber is.
def stop = Fiber.yield

fiber = Fiber.new { stop }
p fiber.backtrace_locations # => []
fiber.resume
all = fiber.backtrace_locations
p all.map(&:lineno), all.first.class # => [2, 2, 4]
# => Thread::Backtrace::Location
p fiber.backtrace == all.map(&:to_s) # => true
p fiber.backtrace_locations(1, 1).map(&:lineno), fiber.backtrace_locations(2..).map(&:lineno) # => [2]
# => [4]
p fiber.backtrace_locations(9) # => nil
fiber.resume
p fiber.backtrace_locations, fiber.backtrace # => []
# => []
