# An HTTP/1.1 server of several Ractors, for any Ruby that has Ractor::Port. Each Ractor has a socket of its own that listens at the port, among
# which the kernel shares out the connections.
#
# Usage: server.rb PORT [RACTORS [events|threads|fibers]]
#
# How a Ractor waits for its connections: events: one loop around IO.select. threads: a thread for each. fibers: a fiber for
# each, with the scheduler that comes with Ruby, or else the one of benches/echo.
require "etc"
require "socket"
require_relative "server/http"

Warning[:experimental] = false

module Server
  IDLE = 30
  AT_ONCE = 16 * 1024

  def self.listen(port)
    socket = Socket.new(:INET, :STREAM)
    socket.setsockopt(:SOCKET, :REUSEADDR, true)
    socket.setsockopt(:SOCKET, :REUSEPORT, true)
    socket.bind(Addrinfo.tcp("127.0.0.1", port))
    socket.listen(1024)
    socket
  end

  # Serves one connection, which may wait, to its end.
  def self.serve(socket)
    socket.setsockopt(:TCP, :NODELAY, true)
    socket.timeout = IDLE
    connection = Connection.new
    buffer = String.new(capacity: AT_ONCE)
    until connection.closing?
      connection.feed(socket.readpartial(AT_ONCE, buffer))
      next if connection.out.empty?
      socket.write(connection.out)
      connection.out.clear
    end
  rescue EOFError, SystemCallError, IO::TimeoutError
    nil # The client has gone, or says nothing.
  ensure
    socket.close
  end

  def self.threads(port)
    listener = listen(port)
    loop do
      client, = listener.accept
      Thread.new(client) { |socket| serve(socket) }
    end
  end

  def self.fibers(port)
    scheduler = defined?(Fiber::Scheduler::Default) ? Fiber::Scheduler::Default.new : RubyScheduler.new
    Fiber.set_scheduler(scheduler)
    Fiber.schedule do
      listener = listen(port)
      loop do
        client, = listener.accept
        Fiber.schedule { serve(client) }
      end
    end
    scheduler.run
  end

  def self.events(port) = Events.new(listen(port)).run

  # Connections that wait by IO.select.
  class Events
    Client = Struct.new(:socket, :connection, :seen)

    def initialize(listener)
      @listener = listener
      @readers = { listener => nil }
      @writers = {}
      @buffer = String.new(capacity: AT_ONCE)
      @swept = now
    end

    def run
      loop do
        readable, writable = IO.select(@readers.keys, @writers.keys, nil, IDLE)
        @now = now
        readable&.each { |socket| socket.equal?(@listener) ? accept : read(@readers[socket]) }
        writable&.each { |socket| write(@writers[socket]) }
        sweep if @now - @swept > IDLE
      end
    end

    private

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def accept
      socket, = @listener.accept_nonblock(exception: false)
      return if socket == :wait_readable
      socket.setsockopt(:TCP, :NODELAY, true)
      @readers[socket] = Client.new(socket, Connection.new, @now)
    end

    def read(client)
      bytes = client.socket.read_nonblock(AT_ONCE, @buffer, exception: false)
      return if bytes == :wait_readable
      return close(client) unless bytes
      client.seen = @now
      client.connection.feed(bytes)
      write(client)
    rescue SystemCallError
      close(client)
    end

    # Sends what there is to send; what the kernel does not take waits, and with it what the client says.
    def write(client)
      out = client.connection.out
      until out.empty?
        sent = client.socket.write_nonblock(out, exception: false)
        break if sent == :wait_writable
        sent == out.bytesize ? out.clear : out.replace(out.byteslice(sent, out.bytesize))
      end
      if !out.empty?
        @readers.delete(client.socket)
        @writers[client.socket] = client
      elsif client.connection.closing?
        close(client)
      elsif @writers.delete(client.socket)
        @readers[client.socket] = client
      end
    rescue SystemCallError
      close(client)
    end

    def close(client)
      @readers.delete(client.socket)
      @writers.delete(client.socket)
      client.socket.close
    end

    def sweep
      @swept = @now
      (@readers.values + @writers.values).each { |client| close(client) if client && @now - client.seen > IDLE }
    end
  end
end

if $PROGRAM_NAME == __FILE__
  port = Integer(ARGV[0] || 8080)
  ractors = Integer(ARGV[1] || Etc.nprocessors)
  way = (ARGV[2] || "events").to_sym
  abort "events, threads or fibers?" unless %i[events threads fibers].include?(way)
  require_relative "../echo/ruby_scheduler" if way == :fibers && !defined?(Fiber::Scheduler::Default)
  trap("TERM") { exit!(0) }
  all = Array.new(ractors) { Ractor.new(port, way) { |at, how| Server.public_send(how, at) } }
  puts "#{ractors} Ractors, #{way}, at port #{port}"
  $stdout.flush
  Ractor.select(*all)
end
