# An echo server whose connections are fibers, resumed by one loop around IO.select, which runs DEPTH calls deep in
# each fiber. Arguments: connections, requests, depth. It prints its port first, and what it used at the end.
require "socket"

CONNECTIONS, REQUESTS, DEPTH = ARGV.map { |arg| Integer(arg) }
READERS = {}
WRITERS = {}

def wait_in(table, socket)
  table[socket] = Fiber.current
  Fiber.yield
  table.delete(socket)
end

def serve(socket, depth)
  return serve(socket, depth - 1) if depth > 0
  while true
    wait_in(READERS, socket)
    line = socket.gets
    break unless line
    wait_in(WRITERS, socket)
    socket.write(line)
    $served += 1
  end
end

$served = 0
server = TCPServer.new("127.0.0.1", 0)
puts server.addr[1]
$stdout.flush
CONNECTIONS.times do
  socket = server.accept
  Fiber.new { serve(socket, DEPTH) }.resume
end
while $served < REQUESTS && !(READERS.empty? && WRITERS.empty?)
  readable, writable, = IO.select(READERS.keys, WRITERS.keys)
  readable.each { |socket| READERS[socket].resume }
  writable.each { |socket| WRITERS[socket].resume }
end
usage = Process.times
puts "requests: #{$served} user: #{usage.utime} system: #{usage.stime}"
