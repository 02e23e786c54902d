# Holds many connections in one process, each served by a fiber of its own, until all have been served. It prints its port first,
# and at the end how many were open at once and the most memory it used. Argument: how many connections.
require "socket"

WANTED = Integer(ARGV[0] || 10_000)
soft, hard = Process.getrlimit(:NOFILE)
Process.setrlimit(:NOFILE, hard, hard) if soft < hard
Fiber.set_scheduler(Fiber::Scheduler::Default.new)
server = TCPServer.new("127.0.0.1", 0)
server.listen(4096)
puts server.addr[1]
$stdout.flush
held = 0
most = 0
answered = 0
Fiber.schedule do
  WANTED.times do
    socket = server.accept
    held += 1
    most = held if held > most
    Fiber.schedule do
      while line = socket.gets
        socket.write(line)
        answered += 1
      end
      held -= 1
      socket.close
    end
  end
end
Fiber.scheduler.run
status = File.read("/proc/self/status")
peak = status[/VmHWM:\s+(\d+)/, 1].to_i
usage = Process.times
puts "connections: #{most} answered: #{answered} peak: #{peak / 1024} user: #{usage.utime} system: #{usage.stime}"
