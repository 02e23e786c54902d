# A thread that is killed while the fibers of its scheduler wait: what they wait in is unwound, one after the other.
3.times do |i|
  begun = Queue.new
  thread = Thread.new do
    Fiber.set_scheduler(Fiber::Scheduler::Default.new)
    4.times { Fiber.schedule { loop { begun << 1; sleep 0.001 } } }
  end
  12.times { begun.pop }
  thread.kill.join
  p [i, thread.alive?]
end
# => [0, false]
# => [1, false]
# => [2, false]
