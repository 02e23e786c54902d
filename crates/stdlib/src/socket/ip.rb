# frozen_string_literal: true

# TCP and UDP.
class IPSocket < BasicSocket
  class << self
    def getaddress(host)
      row = Socket.__send__(:__lookup, host, nil, nil, Socket::SOCK_STREAM, nil, nil).first
      Socket.__send__(:__nameinfo, row[0], Socket::NI_NUMERICHOST | Socket::NI_NUMERICSERV)[0]
    end
  end

  undef_method :getpeereid

  def addr(reverse_lookup = nil) = __row(getsockname, reverse_lookup)

  def peeraddr(reverse_lookup = nil) = __row(getpeername, reverse_lookup)

  def recvfrom(length, flags = 0, buffer = nil)
    got = __recvfrom(length, flags, buffer, true)
    return got unless got
    [got[0], got[1].empty? ? nil : __row(got[1], nil)]
  end

  def inspect
    return super if closed?
    row = addr(:numeric)
    "#{super.delete_suffix(">")}, #{row[0]}, #{row[3]}, #{row[1]}>"
  end

  private

  def __row(sockaddr, reverse_lookup)
    numeric = Socket.__send__(:__numeric?, reverse_lookup, do_not_reverse_lookup)
    Socket.__send__(:__row, sockaddr, numeric)
  end
end

class TCPSocket < IPSocket
  class << self
    def open(*args, **options)
      socket = new(*args, **options)
      return socket unless block_given?
      begin
        yield socket
      ensure
        socket.close unless socket.closed?
      end
    end

    def gethostbyname(host)
      rows = Socket.__send__(:__lookup, host, nil, nil, Socket::SOCK_STREAM, nil, Socket::AI_CANONNAME)
      family = rows.first[1]
      addresses = rows.select { |row| row[1] == family }.map do |row|
        Socket.__send__(:__nameinfo, row[0], Socket::NI_NUMERICHOST | Socket::NI_NUMERICSERV)[0]
      end
      [rows.first[4] || host, [], family, *addresses.uniq]
    end
  end

  def initialize(host, port = (missing = true), local_host = nil, local_port = nil, resolv_timeout: nil, connect_timeout: nil,
                 open_timeout: nil, fast_fallback: nil)
    raise ArgumentError, "wrong number of arguments (given 1, expected 2..4)" if missing
    BasicSocket.__send__(:__no_block, self) if block_given?
    @do_not_reverse_lookup = BasicSocket.do_not_reverse_lookup
    if open_timeout && (connect_timeout || resolv_timeout)
      raise ArgumentError, "Cannot specify open_timeout along with connect_timeout or resolv_timeout"
    end
    deadline = open_timeout && Process.clock_gettime(Process::CLOCK_MONOTONIC) + open_timeout
    rows = Socket.__send__(:__lookup, host, port, nil, Socket::SOCK_STREAM, nil, 0, resolv_timeout || open_timeout)
    locals = local_host || local_port ? Socket.__send__(:__lookup, local_host, local_port, nil, Socket::SOCK_STREAM, nil, 0) : nil
    last = nil
    rows.each do |sockaddr, family, type, protocol, _|
      local = locals && locals.find { |row| row[1] == family }
      next if locals && local.nil?
      left = connect_timeout || true
      if deadline
        left = deadline - Process.clock_gettime(Process::CLOCK_MONOTONIC)
        raise IO::TimeoutError, "user specified timeout for #{host}:#{port}" if left <= 0
      end
      begin
        __open(family, type, protocol)
        if local
          __setsockopt(Socket::SOL_SOCKET, Socket::SO_REUSEADDR, [1].pack("i"))
          __bind(local[0], "bind(2) for #{local_host.inspect} port #{local_port}")
        end
        done = __connect(sockaddr, "connect(2) for #{host.inspect} port #{port}", left)
        return if done != :timeout
        close
        raise IO::TimeoutError, "user specified timeout for #{host}:#{port}"
      rescue SystemCallError => error
        close
        last = error
      end
    end
    raise last || SocketError.new("no appropriate local address")
  end
end

class TCPServer < TCPSocket
  def initialize(host = nil, port)
    BasicSocket.__send__(:__no_block, self) if block_given?
    @do_not_reverse_lookup = BasicSocket.do_not_reverse_lookup
    rows = Socket.__send__(:__lookup, host.nil? || host == "" ? nil : host, port || 0, nil, Socket::SOCK_STREAM, nil, Socket::AI_PASSIVE)
    last = nil
    rows.each do |sockaddr, family, type, protocol, _|
      begin
        __open(family, type, protocol)
        __setsockopt(Socket::SOL_SOCKET, Socket::SO_REUSEADDR, [1].pack("i"))
        __bind(sockaddr, "bind(2) for #{host.inspect} port #{port}")
        __listen(Socket::SOMAXCONN)
        return
      rescue SystemCallError => error
        close
        last = error
      end
    end
    raise last
  end

  def accept
    socket = __accept_socket(TCPSocket)
    socket.do_not_reverse_lookup = BasicSocket.do_not_reverse_lookup
    socket
  end

  def accept_nonblock(exception: true)
    got = __accept(TCPSocket, false)
    return exception ? __would_block("accept(2)") : got if got == :wait_readable
    got[0]
  end

  def sysaccept
    socket = accept
    socket.autoclose = false
    socket.fileno
  end

  def listen(backlog) = __listen(Socket.const_get(:Names).integer(backlog))
end

class UDPSocket < IPSocket
  class << self
    def open(*args)
      socket = new(*args)
      return socket unless block_given?
      begin
        yield socket
      ensure
        socket.close unless socket.closed?
      end
    end
  end

  def initialize(family = Socket::AF_INET)
    BasicSocket.__send__(:__no_block, self) if block_given?
    @do_not_reverse_lookup = BasicSocket.do_not_reverse_lookup
    @family = Socket.const_get(:Names).family(family)
    __open(@family, Socket::SOCK_DGRAM, 0)
  end

  def bind(host, port)
    __each_address(host, port, Socket::AI_PASSIVE) { |sockaddr| __bind(sockaddr, "bind(2) for #{host.inspect} port #{port}") }
  end

  def connect(host, port)
    __each_address(host, port, 0) { |sockaddr| __connect(sockaddr, "connect(2) for #{host.inspect} port #{port}", true) }
  end

  def send(message, flags, host = (plain = true; nil), port = (address = host; one = true; nil))
    return super(message, flags) if plain
    return super(message, flags, address) if one
    begin
      __each_address(host, port, 0) { |sockaddr| __send(message, flags, sockaddr, true) }
    rescue SystemCallError => error
      raise error.class, "sendto(2) for #{host.inspect} port #{port}"
    end
  end

  def recvfrom_nonblock(length, flags = 0, buffer = nil, exception: true)
    got = __recvfrom(length, flags, buffer, false)
    return exception ? __would_block("recvfrom(2)") : got if got == :wait_readable
    got && [got[0], __row(got[1], nil)]
  end

  private

  def __each_address(host, port, flags)
    last = nil
    Socket.__send__(:__lookup, host, port, @family || __family, Socket::SOCK_DGRAM, nil, flags).each do |row|
      begin
        return yield(row[0])
      rescue SystemCallError => error
        last = error
      end
    end
    raise last
  end
end
