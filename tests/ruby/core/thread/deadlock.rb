# All threads wait for one another: the main thread gets `fatal`, which no `rescue => e` catches.
m = Mutex.new.lock
begin
  begin
    Thread.new { m.lock }.join
  rescue StandardError
    puts "not here"
  end
rescue Exception => e
  puts e.class # => fatal
  puts e.message.lines.first # => No live threads left. Deadlock?
  puts e.message.lines[1][/\A\d+ threads, \d+ sleeps/] # => 2 threads, 2 sleeps
end
m.unlock
Thread.pass until Thread.list.size == 1
begin
  Queue.new.pop
rescue Exception => e
  puts e.message.lines.first # => No live threads left. Deadlock?
end
# Who waits with a timeout is not lost, and neither is who waits for it.
p Thread.new { Queue.new.pop(timeout: 0.01) }.join.status # => false
p Thread.new { sleep 0.01; :slept }.value # => :slept
begin
  Thread.stop
rescue ThreadError => e
  puts e.message.lines.first # => stopping only thread
end
# parallel: no, the deadlock of all threads
