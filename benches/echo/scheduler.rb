# An echo server whose connections are non-blocking fibers of a scheduler; each serves DEPTH calls deep until the client closes it. With a fourth
# argument the scheduler is the one written in Ruby beside this file. It prints its port first, and what it used at the end.
require "socket"

CONNECTIONS, REQUESTS, DEPTH = ARGV.take(3).map { |arg| Integer(arg) }

def serve(socket, depth)
  return serve(socket, depth - 1) if depth > 0
  while line = socket.gets
    socket.write(line)
    $served += 1
  end
end

if ARGV[3] || !defined?(Fiber::Scheduler::Default)
  require_relative "ruby_scheduler"
  scheduler = RubyScheduler.new
else
  scheduler = Fiber::Scheduler::Default.new
end
$served = 0
Fiber.set_scheduler(scheduler)
server = TCPServer.new("127.0.0.1", 0)
puts server.addr[1]
$stdout.flush
Fiber.schedule do
  CONNECTIONS.times do
    socket = server.accept
    Fiber.schedule { serve(socket, DEPTH) }
  end
end
scheduler.run
usage = Process.times
puts "requests: #{$served} user: #{usage.utime} system: #{usage.stime}"
$stdout.flush
exit!(0)
