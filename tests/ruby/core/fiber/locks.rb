# A thread's root fiber is the same owner of locks before and after it has resumed another fiber.
Fiber.new { 1 }.resume
lock = Mutex.new
lock.lock
entered = Thread.new { lock.try_lock }.value
p lock.locked?, lock.owned?, entered # => true
# => true
# => false
lock.unlock

count = 0
workers = Array.new(4) do
  Thread.new do
    Fiber.new { Fiber.yield }.resume
    2000.times { lock.synchronize { count += 1 } }
  end
end
workers.each(&:join)
p count # => 8000
