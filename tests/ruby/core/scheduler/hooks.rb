# The hooks that a scheduler need not have, each called where the operation would wait, and what it answers is what the operation goes on with.
require "io/nonblock"
require "timeout"
require_relative "_selecting"

class Hooked < SelectingScheduler
  attr_reader :log

  def initialize
    super
    @log = []
  end

  def io_read(io, buffer, length, offset)
    @log << [:io_read, buffer.size > 0, length, offset]
    again = -Errno::EAGAIN::Errno
    io.nonblock = true
    while (count = Fiber.blocking { buffer.read(io, 0, offset) }) == again
      io_wait(io, IO::READABLE, nil)
    end
    count
  end

  def io_write(io, buffer, length, offset)
    @log << [:io_write, buffer.get_string, length, offset]
    # At most three bytes at a time.
    Fiber.blocking { buffer.write(io, [3, buffer.size].min, offset) }
  end

  def io_pread(io, buffer, from, length, offset)
    @log << [:io_pread, from, length, offset]
    buffer.set_string("pread")
    5
  end

  def io_pwrite(io, buffer, from, length, offset)
    @log << [:io_pwrite, buffer.get_string, from, length, offset]
    -Errno::ENOSPC::Errno
  end

  def io_select(readers, writers, priorities, timeout)
    @log << [:io_select, readers&.size, writers&.size, priorities&.size, timeout]
    [readers, [], []]
  end

  def io_close(number)
    @log << [:io_close, number.class]
    true
  end

  def timeout_after(duration, error, message, &block)
    @log << [:timeout_after, duration, error.class, message.class]
    block.call(duration)
  end

  def yield
    @log << [:yield]
    @ready << Fiber.current
    @home.transfer
  end
end

def hooked
  Thread.new do
    Fiber.set_scheduler(scheduler = Hooked.new)
    Fiber.schedule { yield scheduler }
    scheduler.run
    scheduler.log
  end.value
end

r, w = IO.pipe
log = hooked do
  Fiber.schedule { puts r.gets.inspect }
  w.write("a line\n")
end
# => "a line\n"
puts log.map(&:inspect)
# => [:io_read, true, 0, 0]
# => [:io_write, "a line\n", 0, 0]
# => [:io_write, "ine\n", 0, 0]
# => [:io_write, "\n", 0, 0]

log = hooked { File.open(__FILE__) { |f| p f.pread(5, 7) } } # => "pread"
p log.assoc(:io_pread) # => [:io_pread, 7, 0, 0]
log = hooked { File.open("/dev/null", "w") { |f| f.pwrite("text", 3) rescue p $!.class } } # => Errno::ENOSPC
p log.assoc(:io_pwrite) # => [:io_pwrite, "text", 3, 0, 0]
log = hooked { puts IO.select([r], [w], nil, 5) == [[r], [], []] } # => true
p log # => [[:io_select, 1, 1, nil, 5]]
log = hooked { Timeout.timeout(5) { |seconds| puts seconds } } # => 5
p log # => [[:timeout_after, 5, Class, String]]
log = hooked { IO.pipe.each(&:close) }
p log # => [[:io_close, Integer], [:io_close, Integer]]

# What is raised into the thread in the middle of a wait, while it may not be, is put off, and the scheduler told of it.
class Yielding < SelectingScheduler
  attr_reader :log

  def initialize(writer)
    super()
    @log = []
    @writer = writer
  end

  def yield
    @log << :yield
    @writer.write_nonblock("x")
  end
end

reader, writer = IO.pipe
started = Queue.new
thread = Thread.new do
  Fiber.set_scheduler(scheduler = Yielding.new(writer))
  Fiber.schedule do
    Thread.handle_interrupt(RuntimeError => :never) do
      started << true
      # There is no `io_select`: the thread waits, until `yield` ends it.
      scheduler.log << (IO.select([reader], nil, nil, 10) ? :selected : :late)
    end
  rescue => e
    scheduler.log << e.message
  end
  scheduler.run
  scheduler.log
end
started.pop
Thread.pass until thread.stop?
thread.raise("put off")
p thread.value # => [:yield, :selected, "put off"]
