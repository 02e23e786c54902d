# A scheduler written in Ruby hears of every `IO#wait`, also where the stream is ready: it may have to do something for the other end.
require "io/wait"
require "socket"
require_relative "_selecting"

class Hearing < SelectingScheduler
  attr_reader :heard

  def io_wait(io, events, timeout)
    (@heard ||= []) << events
    super
  end
end

Thread.new do
  scheduler = Hearing.new
  Fiber.set_scheduler(scheduler)
  Fiber.schedule do
    left, right = UNIXSocket.pair
    left << "x"
    p right.wait(IO::READABLE, nil) # => 1
    p left.wait(IO::WRITABLE, 3) # => 4
    p left.wait_writable.equal?(left) # => true
    p right.wait_readable(2).equal?(right) # => true
    from, to = IO.pipe
    to << "line\nrest"
    p from.wait_readable.equal?(from), from.gets # => true
    # => "line\n"
    # What has been read ahead needs no waiting.
    p !from.wait_readable # => false
  end
  Fiber.scheduler.run
  p scheduler.heard # => [1, 4, 4, 1, 1]
end.join
