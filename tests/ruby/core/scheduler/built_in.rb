# The scheduler that is built in.
require "socket"
require "timeout"

Fiber.set_scheduler(Fiber::Scheduler::Default.new)
log = []
Fiber.schedule { 3.times { |i| sleep 0.02; log << "a#{i}" } }
Fiber.schedule { 3.times { |i| sleep 0.03; log << "b#{i}" } }
server = TCPServer.new("127.0.0.1", 0)
Fiber.schedule do
  2.times do
    connection = server.accept
    Fiber.schedule do
      while line = connection.gets
        connection.write line.upcase
      end
      connection.close
    end
  end
end
port = server.addr[1]
2.times do |n|
  Fiber.schedule do
    client = TCPSocket.new("127.0.0.1", port)
    3.times do |i|
      client.puts "hi #{n} #{i}"
      log << client.gets.chomp
      sleep 0.01
    end
    client.close
  end
end
queue = Queue.new
Fiber.schedule { 3.times { log << queue.pop.to_s }; log << "popped" }
Fiber.schedule { queue << 1; sleep 0.01; queue << 2; Thread.new { sleep 0.01; queue << 3 }.join; log << "joined" }
mutex = Mutex.new
Fiber.schedule { mutex.synchronize { sleep 0.05; log << "m1" } }
Fiber.schedule { mutex.synchronize { log << "m2" } }
Fiber.schedule { Timeout.timeout(0.01) { sleep 5 } rescue log << $!.class.name }
Fiber.schedule { r, w = IO.pipe; Fiber.schedule { sleep 0.01; w.write "pipe"; w.close }; log << r.read }
Fiber.schedule do
  r, _w = UNIXSocket.pair
  Fiber.schedule { sleep 0.01; r.close }
  r.read(1) rescue log << $!.message
end
Fiber.schedule { log << system("exit 3").inspect }
Fiber.schedule { r, w = IO.pipe; Fiber.schedule { sleep 0.01; w << "x" }; log << "selected #{IO.select([r], nil, nil, 5)[0] == [r]}" }
Fiber.schedule { r, _w = IO.pipe; log << "nothing #{IO.select([r], nil, nil, 0.01).inspect}" }
# An Enumerator within a fiber that waits.
Fiber.schedule { e = Enumerator.new { |y| 2.times { |i| sleep 0.001; y << i } }; log << "enum #{e.next}#{e.next}" }
# A connection that is closed by the other side together with its last bytes.
Fiber.schedule do
  r, w = UNIXSocket.pair
  Fiber.schedule { sleep 0.005; w.write "last"; w.close }
  log << "ends #{r.readpartial(100)} #{r.read.inspect}"
end
# Much data both ways.
Fiber.schedule do
  r, w = UNIXSocket.pair
  Fiber.schedule { w.write("x" * 1_000_000); w.close }
  log << "much #{r.read.size}"
end
Fiber.scheduler.run
puts log.sort
# => 1
# => 2
# => 3
# => HI 0 0
# => HI 0 1
# => HI 0 2
# => HI 1 0
# => HI 1 1
# => HI 1 2
# => Timeout::Error
# => a0
# => a1
# => a2
# => b0
# => b1
# => b2
# => ends last ""
# => enum 01
# => false
# => joined
# => m1
# => m2
# => much 1000000
# => nothing nil
# => pipe
# => popped
# => selected true
# => stream closed in another thread

# One for each of several threads at once, and Thread#raise into a scheduler that waits.
p 4.times.map { |n|
  Thread.new do
    Fiber.set_scheduler(Fiber::Scheduler::Default.new)
    sum = 0
    20.times { |i| Fiber.schedule { sleep 0.001 * (i % 3); sum += i + n } }
    Fiber.scheduler.run
    sum
  end
}.map(&:value) # => [190, 210, 230, 250]
