# args: --race-report
# parallel: no, the report is the whole VM's
# New objects where old ones were.
lock = Mutex.new
threads = 3.times.map do
  Thread.new { 60.times { list = [0]; list[0] += 1; box = Object.new; box.instance_variable_set(:@a, 1); lock.synchronize { } } }
end
GC.start
threads.each(&:join)
