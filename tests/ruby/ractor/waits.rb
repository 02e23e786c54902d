# What ends a wait for a message: the message, an exception, a kill, a timeout; also where messages come so fast that who waits
# for them hardly sleeps.
# parallel: no, the main Ractor has one default port
Warning[:experimental] = false
require "timeout"

echo = Ractor.new(Ractor.main.default_port) { |back| loop { back << Ractor.receive } }
pong = ->(v) { echo << v; Ractor.receive }

# A thread that is busy with messages is interrupted.
stop = Class.new(StandardError)
ended = Array.new(20) do
  ready = Queue.new
  thread = Thread.new do
    Thread.current.report_on_exception = false
    port = Ractor::Port.new
    other = Ractor.new(port) { |back| while (v = Ractor.receive); back << v; end }
    ready << true
    begin
      loop { other << 1; port.receive }
    ensure
      other << nil
    end
  end
  ready.pop
  sleep 0.001
  thread.raise(stop)
  (thread.join && :ended) rescue $!.class == stop
end
p ended.uniq # => [true]

killed = Array.new(20) do
  port = nil
  thread = Thread.new { port = Ractor::Port.new; loop { port.receive } }
  Thread.pass until port
  10.times { port << 1 }
  thread.kill
  thread.join(5)&.status
end
p killed.uniq # => [false]

# A timeout, by the library and by the method.
p((Timeout.timeout(0.01) { Ractor.receive } rescue $!.class)) # => Timeout::Error
p((Timeout.timeout(0.02) { loop { pong[1] } } rescue $!.class)) # => Timeout::Error
Ractor.receive(timeout: 0.05)
p pong[2], Ractor.receive(timeout: 0), Ractor.receive(timeout: 0.000_01), Ractor.receive(timeout: 0.01) # => 2
# => nil
# => nil
# => nil

# Messages of many senders to many receivers of one port: each is received once.
port = Ractor::Port.new
threads = Array.new(3) { Thread.new { got = []; while (v = port.receive) != :end; got << v; end; got } }
senders = Array.new(3) { |n| Ractor.new(port, n) { |port, n| 2000.times { |i| port << n * 2000 + i } } }
senders.each(&:join)
threads.each { port << :end }
got = threads.map(&:value)
p got.sum(&:size), got.flatten.sort == (0...6000).to_a # => 6000
# => true

# A select over several ports, each of which has messages in turn.
ports = Array.new(3) { Ractor::Port.new }
turns = Ractor.new(ports) { |ports| 600.times { |i| ports[i % 3] << i } }
p Array.new(600) { Ractor.select(*ports)[1] }.sort == (0...600).to_a # => true
turns.join

# Closed while somebody waits.
closing = Array.new(50) do
  Ractor.new { own = Ractor::Port.new; t = Thread.new { own.receive rescue $!.class }; own.close; t.value }.value
end
p closing.uniq # => [Ractor::ClosedError]

# Many that end soon, one after the other.
p Array.new(300) { |i| Ractor.new(i) { |i| i }.value } == (0...300).to_a # => true
p Array.new(300) { |i| Thread.new { i }.value } == (0...300).to_a # => true

# `send` and `receive` as methods.
p echo.send(1).equal?(echo), Ractor.recv # => true
# => 1
p (echo << 1).equal?(echo), Ractor.receive # => true
# => 1
p((echo.send rescue $!.message)) # => "wrong number of arguments (given 0, expected 1)"
p((echo.send(1, 2) rescue $!.class)) # => ArgumentError
p((echo.receive rescue $!.class)) # => NoMethodError
p((Ractor.receive(1) rescue $!.class)) # => ArgumentError

# What is moved can be changed by who gets it, and by nobody else.
text = "x" * 100_000
other = text.dup
echo.send(text, move: true)
moved = Ractor.receive
moved << "y"
moved.setbyte(0, 65)
p moved.size, moved[0, 2], other[0, 2], other.size, moved.encoding.name # => 100001
# => "Ax"
# => "xx"
# => 100000
# => "UTF-8"
short = +"short"
echo.send(short, move: true)
p Ractor.receive << "er", (short.size rescue $!.class) # => "shorter"
# => Ractor::MovedError
list = [1, 2, 3]
echo.send(list, move: true)
p Ractor.receive << 4, (list.size rescue $!.class) # => [1, 2, 3, 4]
# => Ractor::MovedError
p((echo.send(1, other: 2) rescue $!.message), (echo.send(a: 1) rescue $!.message)) # => "unknown keyword: :other"
# => "wrong number of arguments (given 0, expected 1)"
