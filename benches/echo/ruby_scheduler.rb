# A fiber scheduler written in Ruby on IO.select, for the Rubies that have none built in: only what the echo server needs
# is fast; what waits for time or for other fibers is kept simple.
class RubyScheduler
  def initialize
    @home = Fiber.current
    @readers = {}
    @writers = {}
    @sleepers = {}
    @ready = []
  end

  def run
    until @readers.empty? && @writers.empty? && @sleepers.empty? && @ready.empty?
      limit = @ready.empty? ? @sleepers.values.min : 0
      limit = [limit - now, 0].max if limit && limit > 0
      readable, writable, = IO.select(@readers.keys, @writers.keys, nil, limit)
      ready, @ready = @ready, []
      ready.each { |fiber| fiber.transfer if fiber.alive? }
      readable&.each { |io| @readers.delete(io)&.transfer }
      writable&.each { |io| @writers.delete(io)&.transfer }
      time = now
      @sleepers.select { |_, at| at <= time }.each_key { |fiber| fiber.transfer }
    end
  end
  alias close run

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def fiber(&block)
    fiber = Fiber.new(blocking: false, &block)
    @ready << Fiber.current unless Fiber.current.equal?(@home)
    fiber.transfer
    fiber
  end

  def io_wait(io, events, _timeout)
    @readers[io] = Fiber.current if events & IO::READABLE != 0
    @writers[io] = Fiber.current if events & IO::WRITABLE != 0
    @home.transfer
    events
  end

  def kernel_sleep(duration = nil)
    @sleepers[Fiber.current] = now + (duration || 1e9)
    @home.transfer
  ensure
    @sleepers.delete(Fiber.current)
  end

  def block(_blocker, timeout = nil) = kernel_sleep(timeout)

  def unblock(_blocker, fiber)
    @ready << fiber
  end

  def fiber_interrupt(fiber, error) = fiber.raise(error)
end
