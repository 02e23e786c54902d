# Copying much between buffers is work that a scheduler may give to another thread.
require_relative "_selecting"

class Offloading < SelectingScheduler
  attr_reader :seen

  def blocking_operation_wait(operation)
    (@seen ||= []) << operation
    Thread.new { operation.call }.join
  end
end

class Refusing < Offloading
  def blocking_operation_wait(operation) = (@seen ||= []) << operation
end

[Offloading, Refusing].each do |kind|
  Thread.new do
    scheduler = kind.new
    Fiber.set_scheduler(scheduler)
    Fiber.schedule do
      size = 2 << 20
      from, to = IO::Buffer.new(size), IO::Buffer.new(size)
      from.set_string("x" * size)
      to.copy(from)
      p to.get_string(size - 3), to == from, scheduler.seen.size
      # Little is copied at once.
      to.set_string("abc")
      p scheduler.seen.size
    end
    Fiber.set_scheduler(nil)
    begin
      scheduler.seen.last.call
    rescue RuntimeError => e
      puts e.message
    end
  end.join
end
# => "xxx"
# => true
# => 2
# => 2
# => Blocking operation has already been executed!
# => "xxx"
# => true
# => 2
# => 2
# => Blocking operation has already been executed!
