# args: --race-report
# parallel: no, the report is the whole VM's
# Fibers with a scheduler.
n = 0
Thread.new do
  Fiber.set_scheduler(Fiber::Scheduler::Default.new)
  3.times { Fiber.schedule { sleep 0.001; n += 1 } }
end.join
p n # => 3
