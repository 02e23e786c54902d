# An ensure clause that is short puts in order what it has to, whatever is raised into the thread meanwhile; what was raised comes when
# the lock is left under which it was, at the clause's end, or when the clause waits or takes long.
Thread.report_on_exception = false

class Poke < StandardError; end

# Calls in the clause are not interrupted.
def step(list) = list << list.size
cut = 0
100.times do
  begun = Queue.new
  steps = []
  thread = Thread.new do
    begin
      begun << 1
      i = 0
      i += 1 while i < 2000
    ensure
      10.times { |n| step(steps) if n >= 0 }
    end
    i = 0
    loop { i += 1 }
  rescue Poke
    steps.size
  end
  begun.pop
  Thread.pass
  thread.raise(Poke)
  cut += 1 unless thread.value == 10
end
p cut # => 0

# A clause that loops or waits is.
[-> { loop {} }, -> { sleep }, -> { Queue.new.pop }, -> { nil while true }].each do |body|
  began = Queue.new
  thread = Thread.new do
    begin
    ensure
      began << 1
      body.call
    end
  rescue Poke
    :poked
  end
  began.pop
  thread.raise(Poke)
  p thread.value
end
# => :poked
# => :poked
# => :poked
# => :poked

# What was raised while its thread waited for a lock comes before it has left that.
lock = Mutex.new
lost = 0
500.times do |i|
  done = false
  begun = Queue.new
  target = Thread.new do
    begin
      begun << 1
      10.times { |n| n }
    ensure
      lock.synchronize { done = true }
    end
    :late
  rescue Poke
    :poked
  end
  begun.pop
  raised = Thread.new do
    lock.synchronize do
      next false if done
      target.raise(Poke)
      done = true
    end
  end
  lost += 1 if raised.value && target.value != :poked
end
p lost # => 0

# Nested timeouts, as the timeout library makes them: none is told of outside of what it was meant for, if not two come at once.
class Watch
  Request = Struct.new(:thread, :at, :error, :done, :lock)

  def initialize
    @requests = Queue.new
    @thread = Thread.new { watch }
  end

  def watch
    list = []
    loop do
      list << @requests.pop until @requests.empty? && !list.empty?
      now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      list.each do |request|
        next if now < request.at
        request.lock.synchronize do
          request.thread.raise(request.error) unless request.done
          request.done = true
        end
      end
      list.reject! { |request| request.lock.synchronize { request.done } }
    end
  end

  def within(seconds, error)
    at = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
    request = Request.new(Thread.current, at, error, false, Mutex.new)
    begin
      @requests << request
      yield
    ensure
      request.lock.synchronize { request.done = true }
    end
  end
end

class Inner < StandardError; end
class Outer < StandardError; end
watch = Watch.new
stray = 0
2.times.map do |k|
  Thread.new do
    random = Random.new(k)
    400.times do
      watch.within(5, Outer) do
        watch.within(random.rand(0.0003), Inner) do
          random.rand < 0.5 ? sleep(0.0002) : 200.times { |n| n }
        end
      rescue Inner
        nil
      end
    rescue Outer
      nil
    rescue Exception
      stray += 1
    end
  rescue Exception
    stray += 1
  end
end.each(&:join)
p stray # => 0
