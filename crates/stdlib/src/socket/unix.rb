# frozen_string_literal: true

# Sockets within the machine.
class UNIXSocket < BasicSocket
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

    def pair(type = nil, protocol = 0)
      names = Socket.const_get(:Names)
      pair = __pair(Socket::AF_UNIX, type.nil? ? Socket::SOCK_STREAM : names.type(type), names.integer(protocol))
      return pair unless block_given?
      begin
        yield pair
      ensure
        pair.each { |socket| socket.close unless socket.closed? }
      end
    end
    alias socketpair pair

    private

    def __sockaddr_of(path)
      sockaddr = Socket.sockaddr_un(path)
      name = Socket.unpack_sockaddr_un(sockaddr)
      text = path.respond_to?(:to_path) ? path.to_path : String.try_convert(path)
      raise ArgumentError, "path name contains null byte" if !name.start_with?("\0") && text.include?("\0")
      sockaddr
    end
  end

  def initialize(path)
    BasicSocket.__send__(:__no_block, self) if block_given?
    sockaddr = UNIXSocket.__send__(:__sockaddr_of, path)
    __open(Socket::AF_UNIX, Socket::SOCK_STREAM, 0)
    begin
      __connect(sockaddr, "connect(2) for #{path}", true)
    rescue Exception
      close
      raise
    end
  end

  def path = __path(getsockname)

  def addr = ["AF_UNIX", __path(getsockname)]

  def peeraddr = ["AF_UNIX", __path(getpeername)]

  def recvfrom(length, flags = 0, buffer = nil)
    got = __recvfrom(length, flags, buffer, true)
    got && [got[0], ["AF_UNIX", __path(got[1])]]
  end

  def send_io(io)
    fd = io.is_a?(IO) ? io.fileno : io.is_a?(Integer) ? io : nil
    if fd.nil?
      raise TypeError, "neither IO nor file descriptor" unless io.respond_to?(:to_io)
      fd = io.to_io.fileno
    end
    __sendmsg("\0", 0, nil, [[Socket::SOL_SOCKET, Socket::SCM_RIGHTS, [fd].pack("i")]], true)
    nil
  end

  def recv_io(klass = IO, mode = nil)
    got = __recvmsg(1, 64, 0, true)
    rights = got && got[3].find { |level, type, _| level == Socket::SOL_SOCKET && type == Socket::SCM_RIGHTS }
    raise SocketError, "file descriptor was not passed (msg_controllen=0 smaller than sizeof(struct cmsghdr)=16)" unless rights
    fd = rights[2].unpack1("i")
    return fd if klass.nil?
    mode.nil? ? klass.for_fd(fd) : klass.for_fd(fd, mode)
  end

  def inspect
    return super if closed?
    shown = __path(getsockname)
    shown = __path(getpeername) if shown.empty? rescue ""
    text = super.delete_suffix(">")
    shown.empty? ? "#{text}>" : "#{text}, #{shown}>"
  end

  private

  def __path(sockaddr) = sockaddr.bytesize < 2 ? "" : Socket.unpack_sockaddr_un(sockaddr)
end

class UNIXServer < UNIXSocket
  def initialize(path)
    BasicSocket.__send__(:__no_block, self) if block_given?
    sockaddr = UNIXSocket.__send__(:__sockaddr_of, path)
    __open(Socket::AF_UNIX, Socket::SOCK_STREAM, 0)
    begin
      __bind(sockaddr, "bind(2) for #{path}")
      __listen(Socket::SOMAXCONN)
    rescue Exception
      close
      raise
    end
  end

  def accept = __accept_socket(UNIXSocket)

  def accept_nonblock(exception: true)
    got = __accept(UNIXSocket, false)
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
