# Holds many connections on loopback in one process: as many fibers serve as connect. Argument: how many.
require "socket"

WANTED = Integer(ARGV[0] || 10_000)
Fiber.set_scheduler(Fiber::Scheduler::Default.new)
server = TCPServer.new("127.0.0.1", 0)
server.listen(4096)
port = server.addr[1]
held = 0
most = 0
answered = 0
arrived = 0
gate = Queue.new
Fiber.schedule do
  WANTED.times do
    socket = server.accept
    held += 1
    most = held if held > most
    Fiber.schedule do
      while line = socket.gets
        socket.write(line)
      end
      held -= 1
      socket.close
    end
  end
end
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
WANTED.times do |n|
  Fiber.schedule do
    socket = TCPSocket.new("127.0.0.1", port)
    socket.puts "first #{n}"
    socket.gets
    arrived += 1
    # Nobody leaves before everybody is there.
    arrived == WANTED ? gate.close : gate.pop
    socket.puts "second #{n}"
    answered += 1 if socket.gets == "second #{n}\n"
    socket.close
  end
end
Fiber.scheduler.run
seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
memory = File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i
puts "connections: #{most} answered: #{answered} wall: #{seconds.round(2)} peak: #{memory / 1024} MiB"
