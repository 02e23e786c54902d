# frozen_string_literal: true

# Clients and servers made in one step.
class Socket
  class << self
    def tcp(host, port, local_host = nil, local_port = nil, connect_timeout: nil, resolv_timeout: nil, open_timeout: nil,
            fast_fallback: nil, &block)
      if open_timeout && (connect_timeout || resolv_timeout)
        raise ArgumentError, "Cannot specify open_timeout along with connect_timeout or resolv_timeout"
      end
      deadline = open_timeout && Process.clock_gettime(Process::CLOCK_MONOTONIC) + open_timeout
      local = local_host || local_port ? Addrinfo.getaddrinfo(local_host, local_port, nil, :STREAM) : nil
      last = nil
      found = Addrinfo.getaddrinfo(host, port, nil, :STREAM, timeout: resolv_timeout || open_timeout)
      found.each do |address|
        from = local && local.find { |one| one.afamily == address.afamily }
        next if local && from.nil?
        left = connect_timeout
        if deadline
          left = deadline - Process.clock_gettime(Process::CLOCK_MONOTONIC)
          raise Errno::ETIMEDOUT, "user specified timeout for #{host}:#{port}" if left <= 0
        end
        begin
          socket = address.__send__(:__connect, from, left)
        rescue SystemCallError => error
          last = error
          next
        end
        return socket unless block
        begin
          return yield(socket)
        ensure
          socket.close unless socket.closed?
        end
      end
      raise last || SocketError.new("no appropriate local address")
    end

    def tcp_server_sockets(host = nil, port, &block)
      sockets = if port == 0
                  __same_port_sockets(Addrinfo.getaddrinfo(host, 0, nil, :STREAM, nil, AI_PASSIVE)) do |address, at|
                    Addrinfo.tcp(address.ip_address, at).listen
                  end
                else
                  __each_server(host, port, :STREAM) { |address| address.listen }
                end
      return sockets unless block
      __closing(sockets, &block)
    end

    def tcp_server_loop(host = nil, port, &block)
      tcp_server_sockets(host, port) { |sockets| accept_loop(sockets, &block) }
    end

    def accept_loop(*sockets)
      sockets.flatten!(1)
      raise ArgumentError, "no sockets" if sockets.empty?
      loop do
        ready, = IO.select(sockets)
        ready.each do |server|
          got = server.accept_nonblock(exception: false)
          next if got == :wait_readable
          yield(*got)
        end
      end
    end

    def udp_server_sockets(host = nil, port, &block)
      bind = lambda do |address, at|
        socket = Addrinfo.udp(address.ip_address, at).bind
        if address.ipv4? && address.ip_address == "0.0.0.0"
          socket.setsockopt(:IP, :PKTINFO, 1)
        elsif address.ipv6_unspecified?
          socket.setsockopt(:IPV6, :RECVPKTINFO, 1)
        end
        socket
      end
      sockets = if port == 0
                  __same_port_sockets(Addrinfo.getaddrinfo(host, 0, nil, :DGRAM, nil, AI_PASSIVE), &bind)
                else
                  __each_server(host, port, :DGRAM) { |address| bind.call(address, address.ip_port) }
                end
      return sockets unless block
      __closing(sockets, &block)
    end

    def udp_server_recv(sockets)
      sockets.each do |socket|
        got = socket.recvmsg_nonblock(exception: false)
        next if got == :wait_readable || got.nil?
        message, sender, _flags, *controls = got
        info = controls.find { |c| c.cmsg_is?(:IP, :PKTINFO) || c.cmsg_is?(:IPV6, :PKTINFO) rescue false }
        bound = socket.local_address
        local = bound
        if info
          there = (bound.ipv4? ? info.ip_pktinfo : info.ipv6_pktinfo).first
          local = Addrinfo.new(Socket.sockaddr_in(bound.ip_port, there.ip_address), bound.pfamily, :DGRAM)
        end
        source = UDPSource.new(sender, local) do |reply|
          info ? socket.sendmsg(reply, 0, sender, info) : socket.send(reply, 0, sender)
        end
        yield message, source
      end
    end

    def udp_server_loop_on(sockets, &block)
      loop do
        ready, = IO.select(sockets)
        udp_server_recv(ready, &block)
      end
    end

    def udp_server_loop(host = nil, port, &block)
      udp_server_sockets(host, port) { |sockets| udp_server_loop_on(sockets, &block) }
    end

    def unix(path)
      socket = Addrinfo.unix(path).connect
      return socket unless block_given?
      begin
        yield socket
      ensure
        socket.close unless socket.closed?
      end
    end

    def unix_server_socket(path)
      unless path.start_with?("\0")
        begin
          File.unlink(path) if File.socket?(path) && File.owned?(path)
        rescue Errno::ENOENT
          nil
        end
      end
      socket = Addrinfo.unix(path).listen
      return socket unless block_given?
      begin
        yield socket
      ensure
        socket.close unless socket.closed?
        File.unlink(path) if !path.start_with?("\0") && File.exist?(path)
      end
    end

    def unix_server_loop(path, &block)
      unix_server_socket(path) { |server| accept_loop(server, &block) }
    end

    private

    def __each_server(host, port, type)
      last = nil
      sockets = []
      begin
        Addrinfo.getaddrinfo(host, port, nil, type, nil, AI_PASSIVE).each do |address|
          begin
            sockets << yield(address)
          rescue SystemCallError => error
            last = error
          end
        end
        raise last if sockets.empty? && last
      rescue Exception
        sockets.each(&:close)
        raise
      end
      sockets
    end

    # The system chooses a port with the first address; the others have to be free there too.
    def __same_port_sockets(addresses)
      10.times do
        sockets = []
        begin
          port = 0
          addresses.each do |address|
            begin
              sockets << yield(address, port)
            rescue Errno::EADDRNOTAVAIL, Errno::EAFNOSUPPORT
              next
            end
            port = sockets.first.local_address.ip_port
          end
          return sockets
        rescue Errno::EADDRINUSE
          sockets.each(&:close)
        rescue Exception
          sockets.each(&:close)
          raise
        end
      end
      raise Errno::EADDRINUSE, "no port is free on all addresses"
    end

    def __closing(sockets)
      yield sockets
    ensure
      sockets.each { |socket| socket.close unless socket.closed? }
    end
  end

  # Where a datagram came from, and how to answer it.
  class UDPSource
    attr_reader :remote_address, :local_address

    def initialize(remote_address, local_address, &reply)
      @remote_address = remote_address
      @local_address = local_address
      @reply = reply
    end

    def inspect = "#<#{self.class}: #{@remote_address.inspect_sockaddr} to #{@local_address.inspect_sockaddr}>"

    def reply(message) = @reply.call(message)
  end
end
