# Thread::ConditionVariable and Monitor.
def try
  yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

m = Mutex.new
c = ConditionVariable.new
p ConditionVariable.equal?(Thread::ConditionVariable) # => true
p c.signal.equal?(c), c.broadcast.equal?(c) # => true
# => true
m.synchronize { p c.wait(m, 0.001) } # => nil
try { c.wait(m, 0.001) } # => ThreadError: Attempt to unlock a mutex which is not locked

ready = false
waiting = Thread.new { m.synchronize { c.wait(m) until ready; :went_on } }
Thread.pass until waiting.stop?
m.synchronize { ready = true; c.signal }
p waiting.value # => :went_on

turn = 0
threads = 5.times.map { |i| Thread.new { m.synchronize { c.wait(m) until turn == i; turn += 1; c.broadcast } } }
threads.each(&:join)
p turn # => 5

# An interrupt in the wait: the lock is held again when the ensure clauses run.
owned = nil
waiting = Thread.new do
  m.synchronize do
    c.wait(m)
  ensure
    owned = m.owned?
  end
rescue => e
  e.message
end
Thread.pass until waiting.stop?
waiting.raise "stop"
p waiting.value, owned # => "stop"
# => true
p m.locked? # => false

require "monitor"
lock = Monitor.new
p lock.enter # => nil
p lock.try_enter, lock.mon_owned?, lock.mon_locked? # => true
# => true
# => true
p Thread.new { [lock.try_enter, lock.mon_owned?, lock.mon_locked?] }.value # => [false, false, true]
lock.exit
p lock.mon_locked? # => true
lock.exit
p lock.mon_locked? # => false
p lock.synchronize { lock.synchronize { :nested } } # => :nested
p((lock.exit rescue $!.class)) # => ThreadError

class Buffer
  include MonitorMixin

  def initialize
    super
    @filled = new_cond
    @items = []
  end

  def put(item)
    synchronize { @items << item; @filled.signal }
  end

  def take
    synchronize { synchronize { @filled.wait_while { @items.empty? } }; @items.shift }
  end
end
buffer = Buffer.new
taker = Thread.new { 3.times.map { buffer.take } }
3.times { |i| buffer.put(i) }
p taker.value # => [0, 1, 2]
object = Object.new.extend(MonitorMixin)
p object.mon_synchronize { :extended } # => :extended
