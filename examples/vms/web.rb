# A web server: one VM accepts connections and hands the sockets to worker VMs through a channel; or processes that accept at
# the same socket. It puts itself under load over the loopback device and prints how many requests a second it answers.
#
# Usage: web.rb vms|processes WORKERS [CLIENTS [SECONDS]]
#
# With CRuby only the processes run.
require "rbconfig"
require "socket"

HERE = __dir__

# Answers the requests of a connection until the client closes it.
SERVE = <<~'RUBY'
  require "socket"

  def serve(socket)
    while (line = socket.gets)
      path = line[/\AGET (\S+) HTTP/, 1] or break
      while (header = socket.gets) && header != "\r\n"
      end
      body = "<html><body>#{path} #{(1..20).sum { |n| n * path.size }}</body></html>\n"
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: #{body.bytesize}\r\n\r\n#{body}")
    end
  rescue SystemCallError, IOError
    # The client is gone.
  ensure
    socket.close
  end
RUBY

# The port, and what ends the server.
def with_vms(workers)
  sockets = RubyVM::Channel.new
  ports = RubyVM::Channel.new
  vms = Array.new(workers) do |n|
    RubyVM.new("worker #{n}", source: SERVE + <<~'RUBY').start(sockets)
      sockets, = RubyVM::ARGV
      # Several connections at once.
      Array.new(8) { Thread.new { sockets.each { |socket| serve(socket) } } }.each(&:join)
    RUBY
  end
  acceptor = RubyVM.new("acceptor", source: <<~'RUBY').start(sockets, ports)
    require "socket"
    sockets, ports = RubyVM::ARGV
    server = TCPServer.new("127.0.0.1", 0)
    ports << server.addr[1]
    loop { sockets << server.accept }
  RUBY
  stop = lambda do
    acceptor.kill.join
    sockets.close
    vms.each(&:join)
  end
  [ports.recv, stop]
end

def with_processes(workers)
  server = TCPServer.new("127.0.0.1", 0)
  pids = Array.new(workers) do
    spawn(RbConfig.ruby, "-e", SERVE + <<~RUBY, server.fileno => server.fileno)
      server = TCPServer.for_fd(#{server.fileno})
      Array.new(8) { Thread.new { loop { serve(server.accept) } } }.each(&:join)
    RUBY
  end
  stop = lambda do
    pids.each { |pid| Process.kill(:KILL, pid) }
    pids.each { |pid| Process.wait(pid) }
  end
  [server.addr[1], stop]
end

# How many requests were answered rightly until the time was over.
CLIENT = <<~'RUBY'
  require "socket"
  port, seconds, n = ARGV.map(&:to_i)
  socket = TCPSocket.new("127.0.0.1", port)
  until_when = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
  answered = 0
  path = "/client/#{n}"
  expected = "<html><body>#{path} #{210 * path.size}</body></html>\n"
  while Process.clock_gettime(Process::CLOCK_MONOTONIC) < until_when
    socket.write("GET #{path} HTTP/1.1\r\nHost: localhost\r\n\r\n")
    length = 0
    while (line = socket.gets) != "\r\n"
      length = line[16..].to_i if line.start_with?("Content-Length: ")
    end
    abort "a wrong answer" unless socket.read(length) == expected
    answered += 1
  end
  puts answered
RUBY

mode, workers, clients, seconds = ARGV
abort "usage: web.rb vms|processes WORKERS [CLIENTS [SECONDS]]" unless %w[vms processes].include?(mode) && workers
clients = (clients || 4).to_i
seconds = (seconds || 3).to_i
port, stop = mode == "vms" ? with_vms(workers.to_i) : with_processes(workers.to_i)
pipes = Array.new(clients) { |n| IO.popen([RbConfig.ruby, "-e", CLIENT, port.to_s, seconds.to_s, n.to_s]) }
answers = pipes.map { |pipe| pipe.read.to_i.tap { pipe.close } }
stop.call
abort "a client got no answer" unless answers.all?(&:positive?)
puts "requests: #{answers.sum}"
puts format("rate: %.1f", answers.sum.fdiv(seconds))
