# frozen_string_literal: true

# What all sockets have.
class BasicSocket < IO
  @do_not_reverse_lookup = true

  class << self
    def do_not_reverse_lookup = BasicSocket.instance_variable_get(:@do_not_reverse_lookup)

    def do_not_reverse_lookup=(flag)
      BasicSocket.instance_variable_set(:@do_not_reverse_lookup, flag ? true : false)
    end

    def for_fd(fd)
      socket = allocate
      socket.__send__(:__adopt, fd.is_a?(Integer) ? fd : Socket.const_get(:Names).integer(fd))
      socket
    end

    private

    def __no_block(socket)
      warn "warning: #{socket.class}::new() does not take block; use #{socket.class}::open() instead"
    end
  end

  def initialize(fd)
    __adopt(fd)
  end

  def do_not_reverse_lookup
    raise IOError, "closed stream" if closed?
    flag = @do_not_reverse_lookup
    flag.nil? ? BasicSocket.do_not_reverse_lookup : flag
  end

  def do_not_reverse_lookup=(flag)
    raise IOError, "closed stream" if closed?
    @do_not_reverse_lookup = flag ? true : false
  end

  def close_read
    raise IOError, "closed stream" if closed?
    close unless __half_close(0)
    nil
  end

  def close_write
    raise IOError, "closed stream" if closed?
    close unless __half_close(1)
    nil
  end

  def shutdown(how = Socket::SHUT_RDWR)
    how = Socket.const_get(:Names).shutdown(how)
    unless how >= 0 && how <= 2
      raise ArgumentError, "'how' should be either :SHUT_RD, :SHUT_WR, :SHUT_RDWR"
    end
    __shutdown(how)
  end

  def setsockopt(level, name = (option = true), value = (missing = true))
    if missing && !option
      raise ArgumentError, "wrong number of arguments (given 2, expected 3)"
    elsif option
      raise ArgumentError, "wrong number of arguments (given 1, expected 3)" unless level.is_a?(Socket::Option)
      level, name, value = level.level, level.optname, level.data
    else
      family = __family
      level = Socket.const_get(:Names).level(family, level)
      name = Socket.const_get(:Names).option(family, level, name)
    end
    data = case value
           when true then [1].pack("i")
           when false then [0].pack("i")
           when Integer then [value].pack("i")
           else
             raise TypeError, "no implicit conversion of nil into String" if value.nil?
             String.try_convert(value) || raise(TypeError, "no implicit conversion of #{value.class} into String")
           end
    __setsockopt(level, name, data)
  end

  def getsockopt(level, name)
    family = __family
    level = Socket.const_get(:Names).level(family, level)
    name = Socket.const_get(:Names).option(family, level, name)
    Socket::Option.new(family, level, name, __getsockopt(level, name, 256))
  end

  def getpeereid
    credentials = __getsockopt(Socket::SOL_SOCKET, Socket::SO_PEERCRED, 12).unpack("iii")
    [credentials[1], credentials[2]]
  end

  def local_address = __addrinfo(getsockname)

  def remote_address = __addrinfo(getpeername)

  def connect_address
    address = local_address
    raise SocketError, "the UNIX socket is not bound" if address.unix? && address.unix_path.empty?
    return address unless address.ip?
    raise SocketError, "the socket is not bound" if address.ip_port.zero?
    if address.ipv6_unspecified?
      Addrinfo.new(["AF_INET6", address.ip_port, nil, "::1"], address.pfamily, address.socktype, address.protocol)
    elsif address.ip_address == "0.0.0.0"
      Addrinfo.new(["AF_INET", address.ip_port, nil, "127.0.0.1"], address.pfamily, address.socktype, address.protocol)
    else
      address
    end
  end

  def send(message, flags, to = nil)
    __send(message, flags, to && __sockaddr(to), true)
  end

  def recv(length, flags = 0, buffer = nil) = __recv(length, flags, buffer, true)

  def recv_nonblock(length, flags = 0, buffer = nil, exception: true)
    got = __recv(length, flags, buffer, false)
    got == :wait_readable && exception ? __would_block("recvfrom(2)") : got
  end

  def sendmsg(message, flags = 0, to = nil, *controls)
    __sendmsg(message, flags, to && __sockaddr(to), __controls(controls), true)
  end

  def sendmsg_nonblock(message, flags = 0, to = nil, *controls, exception: true)
    sent = __sendmsg(message, flags, to && __sockaddr(to), __controls(controls), false)
    sent == :wait_writable && exception ? __would_block("sendmsg(2)", IO::EAGAINWaitWritable) : sent
  end

  def recvmsg(length = nil, flags = 0, control_length = nil, scm_rights: false)
    __received(__recvmsg(length || __message_room, control_length || 4096, flags, true), scm_rights)
  end

  def recvmsg_nonblock(length = nil, flags = 0, control_length = nil, scm_rights: false, exception: true)
    got = __recvmsg(length || __message_room, control_length || 4096, flags, false)
    return exception ? __would_block("recvmsg(2)") : got if got == :wait_readable
    __received(got, scm_rights)
  end

  private

  def __message_room = __dgram? ? 65_536 : 4096

  def __would_block(call, error = IO::EAGAINWaitReadable)
    raise error, "#{call} would block"
  end

  def __family = getsockname.unpack1("S")

  def __socktype = __getsockopt(Socket::SOL_SOCKET, Socket::SO_TYPE, 4).unpack1("i")

  def __addrinfo(sockaddr)
    family = sockaddr.bytesize < 2 ? __family : sockaddr.unpack1("S")
    Addrinfo.__send__(:__make, sockaddr, family, __socktype, 0)
  end

  # A sender's address; on a connection it is the other side's.
  def __sender(sockaddr)
    return __addrinfo(sockaddr) unless sockaddr.empty?
    begin
      sockaddr = getpeername
    rescue SystemCallError
      sockaddr = [__family].pack("S")
    end
    __addrinfo(sockaddr)
  end

  def __sockaddr(to)
    return to.to_sockaddr if to.is_a?(Addrinfo)
    String.try_convert(to) || raise(TypeError, "no implicit conversion of #{to.class} into String")
  end

  def __controls(controls)
    family = controls.empty? ? 0 : __family
    controls.map do |control|
      if control.is_a?(Array)
        level, type, data = control
        level = Socket.const_get(:Names).level(family, level)
        [level, Socket.const_get(:Names).control(family, level, type), data]
      else
        [control.level, control.type, control.data]
      end
    end
  end

  def __received(got, keep)
    return nil unless got
    message, from, flags, controls = got
    family = __family
    controls = controls.map do |level, type, data|
      control = Socket::AncillaryData.new(family, level, type, data)
      if level == Socket::SOL_SOCKET && type == Socket::SCM_RIGHTS
        ios = data.unpack("i*").map { |fd| IO.for_fd(fd) }
        keep ? control.__send__(:__keep, ios) : ios.each(&:close)
      end
      control
    end
    [message, Addrinfo.__send__(:__make, from, from.empty? ? 0 : from.unpack1("S"), __socktype, 0), flags, *controls]
  end
end
