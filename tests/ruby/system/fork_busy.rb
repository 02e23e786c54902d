# parallel: no, it forks
# Forks of a process whose threads, VMs and scheduler are busy: each child works, and none waits for a lock for ever.
FORKS = Integer(ENV["FORKS"] || (GC.stress ? 2 : 15))

8.times do |i|
  Thread.new do
    list, map, queue, mutex = [], {}, Queue.new, Mutex.new
    loop do
      list << "text #{i}" * 3
      list.clear if list.size > 1000
      map[list.size] = list.size.to_s
      mutex.synchronize { queue << 1; queue.pop }
      "symbol#{i}".to_sym
      /a(b|c)+#{i % 50}/ =~ "xxabc#{i}"
      Thread.new { 1 }.join if list.size == 500
      eval("1 + #{i}") if list.size == 300
      File.read(__FILE__) if list.size == 700
    end
  end
end
4.times { |i| RubyVM.new("busy #{i}") { n = 0; loop { n += 1; [n] * 10; "s#{n}".to_sym if n % 1000 == 0 } }.start }
Thread.new do
  Fiber.set_scheduler(Fiber::Scheduler::Default.new)
  10.times { Fiber.schedule { loop { sleep 0.001 } } }
end
sleep 0.1

ended = Array.new(FORKS) do |i|
  pid = fork do
    list = Array.new(500) { |k| "#{k}" }
    GC.start if i % 5 == 0
    queue = Queue.new
    thread = Thread.new { queue.pop * 2 }
    queue << 21
    exit!(1) unless thread.value == 42
    Mutex.new.synchronize { list.size }
    "new symbol #{i}".to_sym
    Regexp.new("a+#{i}") =~ "aaa#{i}"
    i.even? ? exit!(7) : exit(7)
  end
  give_up = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 60
  until Process.wait(pid, Process::WNOHANG)
    if Process.clock_gettime(Process::CLOCK_MONOTONIC) > give_up
      Process.kill(:KILL, pid)
      break Process.wait(pid)
    end
    sleep 0.001
  end
  $?.exitstatus || "signal #{$?.termsig}"
end
p ended.tally == { 7 => FORKS } ? "fine" : ended.tally # => "fine"
$stdout.flush
exit!
