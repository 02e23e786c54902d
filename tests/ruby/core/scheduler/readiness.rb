# What the built-in scheduler knows about sockets: when a read need not wait, and when it has to.
require "socket"

def scheduled
  Thread.new do
    Fiber.set_scheduler(Fiber::Scheduler::Default.new)
    result = nil
    Fiber.schedule { result = yield }
    Fiber.scheduler.run
    result
  end.value
end

def tcp_pair
  server = TCPServer.new("127.0.0.1", 0)
  client = TCPSocket.new("127.0.0.1", server.addr[1])
  [server.accept, client]
ensure
  server.close
end

# Lines that come together and in pieces; a read that fills its buffer; the end behind the last bytes.
def lines(a, b)
  got = []
  Fiber.schedule do
    ["one\n", "two\nthree\nfo", "ur\n", "x" * 4095 + "\n", "y" * 4096 + "\n", "z" * 9000 + "\nlast"].each do |text|
      b.write(text)
      sleep 0.002
    end
    b.close
  end
  while line = a.gets
    got << (line.size > 20 ? line.size : line)
  end
  got
end

p scheduled { lines(*tcp_pair) } # => ["one\n", "two\n", "three\n", "four\n", 4096, 4097, 9001, "last"]
p scheduled { lines(*UNIXSocket.pair) } # => ["one\n", "two\n", "three\n", "four\n", 4096, 4097, 9001, "last"]

# Two datagrams that are announced together, and two again.
got = scheduled do
  a, b = UNIXSocket.pair(:DGRAM)
  Fiber.schedule { 3.times { sleep 0.002; b.send("first", 0); b.send("second", 0) } }
  6.times.map { a.readpartial(100) }
end
p got # => ["first", "second", "first", "second", "first", "second"]

# A read of a UNIX socket ends behind a descriptor.
got = scheduled do
  a, b = UNIXSocket.pair
  Fiber.schedule do
    b.write "w"
    sleep 0.002
    b.send_io($stdout)
    b.write "more"
  end
  text = +""
  text << a.readpartial(100) while text.bytesize < 6
  text.delete("\0")
end
p got # => "wmore"

# A read of a TCP socket ends before urgent data.
got = scheduled do
  a, b = tcp_pair
  Fiber.schedule do
    b.write "w"
    sleep 0.002
    b.write "before"
    b.send("!", Socket::MSG_OOB)
    b.write "behind"
  end
  text = +""
  text << a.readpartial(100) while text.bytesize < 13
  text
end
p got # => "wbeforebehind"

# Somebody else has taken what was announced: another fiber.
got = scheduled do
  a, b = tcp_pair
  log = []
  Fiber.schedule { 3.times { log << a.gets } }
  sleep 0.002
  b.write "1\n"
  sleep 0.002
  b.write "2\n"
  log << a.recv_nonblock(100) # Announced to the other fiber, which does not run yet.
  sleep 0.002
  b.write "3\n"
  sleep 0.002
  b.write "4\n"
  sleep 0.002
  log
end
p got # => ["1\n", "2\n", "3\n", "4\n"]

# Fibers whose native callers wait: killed, raised into, gone on with by somebody else, and where they are.
got = scheduled do
  log = []
  pairs = 3.times.map { tcp_pair }
  waiting = pairs.map do |a, _|
    Fiber.schedule do
      [1].each { log << a.gets }
    rescue IOError, RuntimeError => e
      log << e.message
    ensure
      log << :ended
    end
  end
  sleep 0.002
  log << waiting.map { |f| f.backtrace_locations.first(2).map(&:base_label) }.uniq
  Fiber.scheduler.fiber_interrupt(waiting[0], RuntimeError.new("enough"))
  Fiber.schedule { waiting[1].kill }
  pairs[2][0].close
  sleep 0.002
  log << waiting.map(&:alive?)
  log
end
p got # => [[["transfer", "gets"]], :ended, "enough", :ended, "stream closed in another thread", :ended, [false, false, false]]

# Hundreds of turns between waiting fibers, in native callers of several kinds.
got = scheduled do
  pairs = 20.times.map { tcp_pair }
  counts = []
  pairs.each_with_index do |(a, _), i|
    Fiber.schedule do
      n = 0
      case i % 3
      when 0 then n += 1 while a.gets
      when 1 then a.each_line { n += 1 }
      when 2 then [3, 1, 2].sort_by { |x| n += 1 while n < 20 * x && a.gets; x }; n += 1 while a.gets
      end
      counts << n
    end
  end
  60.times { pairs.each { |_, b| b.puts "line" }; sleep 0 }
  pairs.each { |_, b| b.close }
  sleep 0.001 until counts.size == 20
  counts.tally
end
p got # => {60 => 20}
