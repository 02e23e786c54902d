# A thread's root fiber ends with it.
require "fiber"

fiber = Thread.new { Fiber.current }.value
p fiber.alive? # => false
puts fiber.inspect[/\(.*\)/] # => (terminated)
message = begin
  fiber.resume
rescue FiberError => e
  e.message
end
p message # => "attempt to resume a terminated fiber"

told, stop = Queue.new, Queue.new
thread = Thread.new { told << Fiber.current; stop.pop }
fiber = told.pop
p fiber.alive? # => true
thread.kill.join
p fiber.alive? # => false

thread = Thread.new { Thread.current.report_on_exception = false; told << Fiber.current; raise "x" }
fiber = told.pop
message = (thread.join rescue $!.message)
p [message, fiber.alive?] # => ["x", false]
p Fiber.current.alive? # => true
