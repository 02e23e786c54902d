# Sockets of each family, their addresses and what a call says that would have to wait.
require "socket"

p Addrinfo.tcp("127.0.0.1", 80) # => #<Addrinfo: 127.0.0.1:80 TCP>
p Addrinfo.udp("::1", 53) # => #<Addrinfo: [::1]:53 UDP>
p Addrinfo.unix("/tmp/x") # => #<Addrinfo: /tmp/x SOCK_STREAM>
p Socket.unpack_sockaddr_in(Socket.sockaddr_in(80, "127.0.0.1")) # => [80, "127.0.0.1"]

server = TCPServer.new("127.0.0.1", 0)
port = server.addr[1]
echo = Thread.new do
  connection = server.accept
  while line = connection.gets
    connection.puts "echo: #{line}"
  end
  connection.close
end
client = TCPSocket.new("127.0.0.1", port)
client.puts "hello"
p client.gets # => "echo: hello\n"
client.write "abc\n"
p client.readpartial(100) # => "echo: abc\n"
p client.peeraddr.values_at(0, 3) # => ["AF_INET", "127.0.0.1"]
client.close_write
p client.read # => ""
echo.join
client.close

begin
  TCPSocket.new("127.0.0.1", 1)
rescue => e
  p e # => #<Errno::ECONNREFUSED: Connection refused - connect(2) for "127.0.0.1" port 1>
end
begin
  server.accept_nonblock
rescue IO::WaitReadable => e
  p e # => #<IO::EAGAINWaitReadable: Resource temporarily unavailable - accept(2) would block>
end
p server.accept_nonblock(exception: false) # => :wait_readable
p server.getsockopt(:SOCKET, :REUSEADDR) # => #<Socket::Option: INET SOCKET REUSEADDR 1>

a, b = UNIXSocket.pair
a.write "x"
p b.recv(10) # => "x"
a.close
p b.recv(10) # => nil
receiver = UDPSocket.new
receiver.bind("127.0.0.1", 0)
sender = UDPSocket.new
sender.send("hi", 0, "127.0.0.1", receiver.addr[1])
p receiver.recvfrom(10)[0] # => "hi"

left, right = UNIXSocket.pair
left.send_io($stdout)
p right.recv_io.class # => IO
begin
  Socket.getaddrinfo("nonexistent.invalid", 80)
rescue SocketError => e
  p e.class # => Socket::ResolutionError
end
# parallel: no, it sends the process's standard streams
