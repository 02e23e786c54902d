# parallel: no, it handles signals and forks
# A long source is parsed on a thread that nobody has to wait for: what is raised meanwhile ends the wait.
SIZE = GC.stress ? 4_000 : 200_000
LONG = "if nil\n" + "x = [1, 2, 3]\n" * SIZE + "end\n:done"

p eval(LONG) # => :done
begin
  eval(LONG + ")")
rescue SyntaxError => e
  p e.class # => SyntaxError
end
p Array.new(3) { Thread.new { eval(LONG) } }.map(&:value) # => [:done, :done, :done]

# A variable of the place where it is evaluated.
there = 5
p eval("#{LONG}\nthere += 1"), there # => 6
# => 6

# Killed and raised into, whatever it has come to.
ended = Queue.new
5.times do
  ready = Queue.new
  thread = Thread.new do
    ready << 1
    loop { eval(LONG) }
  ensure
    ended << :ensured
  end
  ready.pop
  thread.kill.join
end
p Array.new(5) { ended.pop } # => [:ensured, :ensured, :ensured, :ensured, :ensured]
ready = Queue.new
thread = Thread.new do
  ready << 1
  loop { eval(LONG) }
rescue ArgumentError => e
  e.message
end
ready.pop
thread.raise(ArgumentError, "enough")
p thread.value # => "enough"

# A handler runs meanwhile, and the source is evaluated afterwards all the same.
handled = 0
trap(:USR1) { handled += 1 }
count = GC.stress ? 1 : 5
count.times do
  before = handled
  sender = Thread.new { Process.kill(:USR1, $$) }
  p eval(LONG) unless eval(LONG) == :done
  sender.join
  Thread.pass until handled > before
end
p handled == count # => true

# A handler that forks: the process that it makes parses it too.
main = Process.pid
forked = nil
trap(:USR2) { forked = [fork] }
sender = Thread.new { Process.kill(:USR2, main) }
eval(LONG) until forked
exit!(eval(LONG) == :done ? 7 : 8) if Process.pid != main
Process.wait(forked[0])
p $?.exitstatus # => 7
