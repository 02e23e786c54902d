# Programs on a terminal of their own.
require "pty"

PTY.open do |master, slave|
  p master.class, slave.class, slave.tty?, File.chardev?(slave.path) # => IO
  # => File
  # => true
  # => true
  p master.close_on_exec?, slave.close_on_exec? # => true
  # => true
  slave.puts "to the master"
  p master.gets # => "to the master\r\n"
  master.puts "to the slave"
  p slave.gets # => "to the slave\n"
  slave.close
  p((master.readpartial(100) until false rescue $!.class)) # => Errno::EIO
end

r, w, pid = PTY.spawn("test -t 0 && test -t 1 && test -t 2 && read line && echo \"$line\" from $(tty)")
w.puts "line"
p r.gets # => "line\r\n"
p r.gets == "line from #{r.path}\r\n" # => true
p [r.class, w.class, w.sync] # => [File, File, true]
Process.wait(pid)
p $?.success? # => true
[r, w].each(&:close)

# The terminal is the program's own: what is typed there interrupts it.
status = nil
PTY.spawn("echo begun; exec sleep 100") do |r, w, pid|
  r.gets
  w.write "\x03"
  Process.wait(pid)
  status = $?.termsig
end
p status # => 2

p PTY.spawn("cat") { |r, w, pid|
  p PTY.check(pid) # => nil
  Process.kill(:KILL, pid)
  begin
    Thread.pass while PTY.check(pid, true).nil?
  rescue PTY::ChildExited => e
    p e.message == "pty - exited: #{pid}", e.status.termsig # => true
    # => 9
  end
}
# => nil
begin
  PTY.spawn("/no such command", "x")
rescue SystemCallError => e
  p e.class # => Errno::ENOENT
end

# What the mode says of a terminal that sends nothing is not waited for longer.
require "io/console"
PTY.open do |master, slave|
  now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
  began = now.()
  p slave.getch(min: 0, time: 0.3), (0.3..4) === now.() - began # => nil
  # => true
  p slave.getch(min: 0, time: 0) # => nil
  reader = Thread.new { slave.getch(min: 0, time: 20) }
  master << "k"
  p reader.value # => "k"
  reader = Thread.new { slave.getch(min: 0, time: 25) }
  Thread.pass until reader.stop?
  reader.kill
  p reader.join(10).class # => Thread
end
