# Ports: messages, closing, waiting for several, monitoring.
# parallel: no, the main Ractor has one default port
Warning[:experimental] = false

port = Ractor::Port.new
p port.inspect.sub(/id:\d+/, "id:N") # => "#<Ractor::Port to:#1 id:N>"
p port.frozen?, Ractor.shareable?(port) # => true
# => true
Ractor.new(port) { |port| port << 1; port.send([2]) }
p port.receive, port.receive # => 1
# => [2]
p port.receive(timeout: 0.01) # => nil
p port.close.equal?(port), port.closed? # => true
# => true
begin
  port << 1
rescue Ractor::ClosedError => e
  p e.message, e.is_a?(StopIteration) # => "The port was already closed"
  # => true
end
begin
  port.receive
rescue Ractor::ClosedError => e
  p e.message # => "The port was already closed"
end

# What is in a port when it is closed can still be taken.
port = Ractor::Port.new
port << :a
port.close
p port.receive # => :a
p((port.receive rescue $!.class)) # => Ractor::ClosedError

port = Ractor::Port.new
r = Ractor.new(port) { |port| [(port.receive rescue $!.message), (port.close rescue $!.message)] }
p r.value # => ["only allowed from the creator Ractor of this port", "closing port by other ractors is not allowed"]

# The default port.
r = Ractor.new { loop { Ractor.main << [receive, Ractor.receive] } }
r.send(1) << 2
p Ractor.receive # => [1, 2]
r.default_port << 3
r << 4
p Ractor.receive # => [3, 4]

# Select: ports, Ractors, both.
a, b = Ractor::Port.new, Ractor::Port.new
Ractor.new(b) { |b| b << :from_b }
from, message = Ractor.select(a, b)
p from == b, message # => true
# => :from_b
rs = 3.times.map { |i| Ractor.new(i) { |i| i * 10 } }
values = []
until rs.empty?
  r, v = Ractor.select(*rs, a)
  rs.delete(r)
  values << v
end
p values.sort # => [0, 10, 20]
p Ractor.select(a, timeout: 0.01) # => nil
p((Ractor.select rescue $!.message)) # => "specify at least one Ractor::Port or Ractor"
p((Ractor.select(1) rescue $!.message)) # => "should be Ractor::Port or Ractor"

# Two threads wait, one of them at two ports: nobody is forgotten.
a, b = Ractor::Port.new, Ractor::Port.new
got = Queue.new
one = Thread.new { got << a.receive }
two = Thread.new { got << Ractor.select(a, b)[1] }
sleep 0.02
a << 1
a << 2
[one, two].each(&:join)
p [got.pop, got.pop].sort # => [1, 2]

# Monitors.
port = Ractor::Port.new
r = Ractor.new { receive }
p r.monitor(port) # => true
r << 1
p port.receive # => :exited
p r.monitor(port), port.receive # => false
# => :exited
r = Ractor.new { Thread.current.report_on_exception = false; receive; raise "x" }
p r.monitor(port) # => true
r << 1
p port.receive # => :aborted
r = Ractor.new { receive }
r.monitor(port)
p r.unmonitor(port) == r # => true
r << 1
r.join
p port.receive(timeout: 0.01) # => nil

# A wait can be interrupted.
t = Thread.new { Thread.current.report_on_exception = false; Ractor.receive }
sleep 0.01
t.raise(IOError, "enough")
p((t.join rescue $!.message)) # => "enough"
r = Ractor.new { receive }
t = Thread.new { r.value }
sleep 0.01
t.kill.join
r << 1
p r.value # => 1
p((Ractor::Port.allocate << 1 rescue $!.message)) # => "uninitialized Ractor::Port"
p r.closed? rescue p $!.class # => NoMethodError
p((r << 1 rescue $!.class)) # => Ractor::ClosedError
