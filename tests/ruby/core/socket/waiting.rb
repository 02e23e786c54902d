# What ends a wait for a socket: closing it elsewhere, Thread#kill and #raise, time.
require "socket"
require "timeout"

server = TCPServer.new("127.0.0.1", 0)
waiting = Thread.new do
  server.accept
rescue => e
  e
end
Thread.pass until waiting.status == "sleep"
server.close
p waiting.value # => #<IOError: stream closed in another thread>

x, y = Socket.pair(:UNIX, :STREAM)
waiting = Thread.new { x.recv(10) }
Thread.pass until waiting.status == "sleep"
waiting.kill
p waiting.join(5).equal?(waiting) # => true
waiting = Thread.new do
  x.read(1)
rescue ArgumentError => e
  e.message
end
Thread.pass until waiting.status == "sleep"
waiting.raise(ArgumentError, "enough")
p waiting.value # => "enough"

x.timeout = 0.01
begin
  x.readpartial(1)
rescue IO::TimeoutError => e
  p e.message # => "Blocking operation timed out!"
end
p x.timeout # => 0.01
p x.wait_readable(0.01) # => nil
p x.wait(IO::READABLE | IO::WRITABLE, 1) # => 4
y.write "data"
p IO.select([x], nil, nil, 1)[0] == [x] # => true
p x.wait(IO::READABLE, 0) # => 1
p x.read_nonblock(10) # => "data"
p x.read_nonblock(10, exception: false) # => :wait_readable
p (Timeout.timeout(0.01) { y.recv(1) } rescue $!.class) # => Timeout::Error

# Many clients and servers at once.
server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
acceptor = Thread.new do
  8.times.map { Thread.new(server.accept) { |c| c.write(c.gets.upcase) && c.close } }.each(&:join)
end
p 8.times.map { |i| Thread.new { TCPSocket.open("127.0.0.1", port) { |c| c.puts("n#{i}"); c.read } } }.map(&:value)
# => ["N0\n", "N1\n", "N2\n", "N3\n", "N4\n", "N5\n", "N6\n", "N7\n"]
acceptor.join
