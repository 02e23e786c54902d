# frozen_string_literal: true

# A scheduler written in Ruby, on IO.select: one Hash a direction, sleepers by time, a pipe for wakes from other threads.
class SelectingScheduler
  attr_reader :calls

  def initialize
    @home = Fiber.current
    @reading = {}
    @writing = {}
    @sleeping = {}
    @blocked = {}
    @ready = []
    @guard = Thread::Mutex.new
    @alarm, @ring = IO.pipe
    @calls = Hash.new(0)
    @closed = false
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def run
    until @reading.empty? && @writing.empty? && @sleeping.empty? && @blocked.empty? && @ready.empty?
      wait_once
    end
  end

  def wait_once
    [@reading, @writing].each { |waiting| waiting.reject! { |io, _| io.closed? } }
    first = @sleeping.values.min
    limit = @ready.empty? ? first && [first - now, 0].max : 0
    readable, writable, = IO.select([@alarm, *@reading.keys], @writing.keys, [], limit)
    @alarm.read_nonblock(100, exception: false) if readable&.include?(@alarm)
    due = []
    readable&.each { |io| due << @reading[io] if @reading.key?(io) }
    writable&.each { |io| due << @writing[io] if @writing.key?(io) }
    time = now
    @sleeping.sort_by { |_, at| at }.each { |fiber, at| due << fiber if at <= time }
    @guard.synchronize do
      due.concat(@ready)
      @ready = []
    end
    due.uniq.each do |fiber, error|
      next unless fiber.alive?
      error ? fiber.raise(error) : fiber.transfer
    end
  end

  def close
    @calls[:close] += 1
    return if @closed
    run
    @closed = true
    @alarm.close
    @ring.close
  end

  def fiber(&block)
    @calls[:fiber] += 1
    fiber = Fiber.new(blocking: false, &block)
    current = Fiber.current
    @ready << current unless current.equal?(@home)
    fiber.transfer
    fiber
  end

  def io_wait(io, events, timeout)
    @calls[:io_wait] += 1
    fiber = Fiber.current
    @reading[io] = fiber if events & IO::READABLE != 0
    @writing[io] = fiber if events & IO::WRITABLE != 0
    @sleeping[fiber] = now + timeout if timeout
    @home.transfer
    over = timeout && @sleeping[fiber] <= now && !io.closed? && !IO.select([io], nil, nil, 0)
    over ? false : events
  ensure
    @reading.delete(io)
    @writing.delete(io)
    @sleeping.delete(fiber)
  end

  def kernel_sleep(duration = nil)
    @calls[:kernel_sleep] += 1
    block(:sleep, duration)
    true
  end

  def block(_blocker, timeout = nil)
    @calls[:block] += 1
    fiber = Fiber.current
    if timeout
      @sleeping[fiber] = now + timeout
    else
      @blocked[fiber] = true
    end
    @home.transfer
    true
  ensure
    @sleeping.delete(fiber)
    @blocked.delete(fiber)
  end

  def unblock(_blocker, fiber)
    @calls[:unblock] += 1
    @guard.synchronize { @ready << fiber }
    @ring.write_nonblock(".", exception: false)
  end

  def fiber_interrupt(fiber, error)
    @calls[:fiber_interrupt] += 1
    @guard.synchronize { @ready << [fiber, error] }
    @ring.write_nonblock(".", exception: false)
  end

  def process_wait(pid, flags)
    @calls[:process_wait] += 1
    Thread.new { Process::Status.wait(pid, flags) }.value
  end

  def address_resolve(_host)
    @calls[:address_resolve] += 1
    ["127.0.0.1"]
  end

  def timeout_after(duration, error, message)
    @calls[:timeout_after] += 1
    waiting = Fiber.current
    timer = Thread.new { Kernel.sleep(duration); :over }
    watcher = fiber do
      timer.join
      waiting.raise(error, message) if timer.value == :over && waiting.alive?
    end
    begin
      yield duration
    ensure
      timer.kill
    end
  end
end
