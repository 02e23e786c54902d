# Thread::Mutex: ownership, errors, waiting, and what happens when its owner ends.
def try
  yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

m = Mutex.new
p Mutex.equal?(Thread::Mutex) # => true
p m.locked?, m.owned? # => false
# => false
p m.lock.equal?(m) # => true
p m.locked?, m.owned?, m.try_lock # => true
# => true
# => false
try { m.lock } # => ThreadError: deadlock; recursive locking
Thread.new { try { m.unlock } }.join # => ThreadError: Attempt to unlock a mutex which is locked by another thread/fiber
p Thread.new { [m.locked?, m.owned?, m.try_lock] }.value # => [true, false, false]
p m.unlock.equal?(m) # => true
try { m.unlock } # => ThreadError: Attempt to unlock a mutex which is not locked

p m.synchronize { m.owned? } # => true
p m.locked? # => false
try { m.synchronize } # => ThreadError: must be called with a block
try { m.synchronize { raise "inside" } } # => RuntimeError: inside
p m.locked? # => false
p [1, 2].each { |x| break m.synchronize { break x } } # => 1
p m.locked? # => false

# A thread that ends gives its locks back.
Thread.new { m.lock }.join
p m.locked?, m.try_lock # => false
# => true
waiting = Thread.new { m.synchronize { :got_it } }
Thread.pass until waiting.stop?
m.unlock
p waiting.value # => :got_it
locked = Queue.new
dying = Thread.new { m.lock; locked << true; sleep }
locked.pop
waiting = Thread.new { m.synchronize { :inherited } }
Thread.pass until waiting.stop?
dying.kill
p waiting.value # => :inherited

# Mutex#sleep gives the lock up and takes it again.
m.lock
p m.sleep(0.001) # => nil
p m.owned? # => true
m.unlock
sleeper = Thread.new { m.synchronize { m.sleep; :awake } }
Thread.pass until sleeper.stop? && !m.locked?
m.synchronize { sleeper.wakeup }
p sleeper.value # => :awake
try { m.sleep(1) } # => ThreadError: Attempt to unlock a mutex which is not locked

# Waiting for a lock can be interrupted; the lock stays with its owner.
m.lock
waiting = Thread.new do
  m.synchronize { :never }
rescue => e
  "#{e.class}: #{e.message}"
end
Thread.pass until waiting.stop?
waiting.raise(ArgumentError, "out")
p waiting.value # => "ArgumentError: out"
p m.owned? # => true
m.unlock

# Exactly one thread at a time.
count = 0
8.times.map { Thread.new { 2000.times { m.synchronize { count += 1 } } } }.each(&:join)
p count # => 16000

# Thread#wakeup of a thread that waits for a lock gives it nothing, and takes nothing from it.
m.lock
waiting = 3.times.map { |i| Thread.new { m.synchronize { i } } }
Thread.pass until waiting.all?(&:stop?)
20.times { waiting.each(&:wakeup); Thread.pass }
p waiting.any? { |t| t.join(0.001) } # => false
m.unlock
p waiting.map(&:value) # => [0, 1, 2]
