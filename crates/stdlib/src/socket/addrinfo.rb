# frozen_string_literal: true

# A socket address with what it is for.
class Addrinfo
  class << self
    def getaddrinfo(host, service, family = nil, socktype = nil, protocol = nil, flags = nil, timeout: nil)
      Socket.__send__(:__lookup, host, service, family, socktype, protocol, flags, timeout).map do |sockaddr, pfamily, type, proto, name|
        made = __make(sockaddr, pfamily, type, proto, name)
        made.__send__(:__asked, host, service)
        made
      end
    end

    def foreach(host, service, family = nil, socktype = nil, protocol = nil, flags = nil, timeout: nil, &block)
      getaddrinfo(host, service, family, socktype, protocol, flags, timeout: timeout).each(&block)
    end

    def ip(host) = __first(host, nil, 0, 0)

    def tcp(host, port) = __first(host, port, Socket::SOCK_STREAM, Socket::IPPROTO_TCP)

    def udp(host, port) = __first(host, port, Socket::SOCK_DGRAM, Socket::IPPROTO_UDP)

    def unix(path, socktype = nil)
      __make(Socket.sockaddr_un(path), Socket::PF_UNIX, socktype ? __names.type(socktype) : Socket::SOCK_STREAM, 0)
    end

    private

    def __names = Socket.const_get(:Names)

    def __first(host, port, type, protocol)
      row = Socket.__send__(:__lookup, host, port || 0, nil, type.zero? ? Socket::SOCK_STREAM : type, protocol.zero? ? nil : protocol, nil).first
      made = __make(row[0], row[1], type, protocol)
      made.__send__(:__asked, host, port)
      made
    end

    def __make(sockaddr, pfamily, socktype, protocol, canonname = nil)
      made = allocate
      made.__send__(:__set, sockaddr, pfamily, socktype, protocol, canonname)
      made
    end
  end

  attr_reader :pfamily, :socktype, :protocol, :canonname

  def initialize(sockaddr, family = nil, socktype = nil, protocol = nil)
    names = Socket.const_get(:Names)
    pfamily = family.nil? ? nil : names.family(family)
    socktype = socktype.nil? ? 0 : names.type(socktype)
    protocol = protocol.nil? ? 0 : names.integer(protocol)
    if sockaddr.is_a?(Array)
      kind = String(sockaddr[0])
      case kind
      when "AF_INET", "AF_INET6"
        port, nodename, address = sockaddr[1], sockaddr[2], sockaddr[3]
        raise TypeError, "no implicit conversion of nil into String" if address.nil?
        wanted = names.family(kind)
        unless (socktype != 0 || protocol.zero? || protocol == Socket::IPPROTO_UDP) &&
               [0, Socket::SOCK_STREAM, Socket::SOCK_DGRAM, Socket::SOCK_RAW, Socket::SOCK_SEQPACKET].include?(socktype) &&
               (pfamily.nil? || pfamily == wanted || pfamily == Socket::PF_UNSPEC)
          raise SocketError, "getaddrinfo: ai_#{pfamily.nil? || pfamily == wanted ? "socktype" : "family"} not supported"
        end
        raw = socktype == Socket::SOCK_RAW
        row = Socket.__send__(:__lookup, address, port.to_s, wanted, raw ? 0 : socktype, raw ? 0 : protocol, Socket::AI_NUMERICHOST).first
        __set(row[0], pfamily.nil? || pfamily.zero? ? row[1] : pfamily, socktype, protocol, nil)
        __asked(nodename, nil) if nodename && nodename != address
      when "AF_UNIX"
        __set(Socket.sockaddr_un(sockaddr[1]), Socket::PF_UNIX, Socket::SOCK_STREAM, protocol, nil)
      else
        raise ArgumentError, "unexpected address family"
      end
    else
      text = String.try_convert(sockaddr) || raise(TypeError, "no implicit conversion of #{sockaddr.class} into String")
      __set(text.b.freeze, pfamily || Socket::PF_UNSPEC, socktype, protocol, nil)
    end
  end

  def afamily = @sockaddr.bytesize < 2 ? 0 : @sockaddr.unpack1("S")

  def to_sockaddr = @sockaddr.dup

  alias to_s to_sockaddr

  def ip? = ipv4? || ipv6?

  def ipv4? = afamily == Socket::AF_INET

  def ipv6? = afamily == Socket::AF_INET6

  def unix? = afamily == Socket::AF_UNIX

  def ip_unpack
    __need_ip
    [ip_address, ip_port]
  end

  def ip_address
    __need_ip
    Socket.__send__(:__nameinfo, @sockaddr, Socket::NI_NUMERICHOST | Socket::NI_NUMERICSERV)[0]
  end

  def ip_port
    __need_ip
    @sockaddr.unpack1("@2n")
  end

  def unix_path
    raise SocketError, "need AF_UNIX address" unless unix?
    Socket.unpack_sockaddr_un(@sockaddr)
  end

  def ipv4_private?
    ipv4? && (__between?(0x0a000000, 0xff000000) || __between?(0xac100000, 0xfff00000) || __between?(0xc0a80000, 0xffff0000))
  end

  def ipv4_loopback? = ipv4? && __between?(0x7f000000, 0xff000000)

  def ipv4_multicast? = ipv4? && __between?(0xe0000000, 0xf0000000)

  def ipv6_unspecified? = ipv6? && __in6 == 0

  def ipv6_loopback? = ipv6? && __in6 == 1

  def ipv6_multicast? = ipv6? && __in6 >> 120 == 0xff

  def ipv6_linklocal? = ipv6? && __in6 >> 118 == 0xfe80 >> 6

  def ipv6_sitelocal? = ipv6? && __in6 >> 118 == 0xfec0 >> 6

  def ipv6_unique_local? = ipv6? && __in6 >> 121 == 0xfc >> 1

  def ipv6_v4mapped? = ipv6? && __in6 >> 32 == 0xffff

  def ipv6_v4compat? = ipv6? && __in6 >> 32 == 0 && __in6 > 1

  def ipv6_mc_nodelocal? = __multicast_scope?(1)

  def ipv6_mc_linklocal? = __multicast_scope?(2)

  def ipv6_mc_sitelocal? = __multicast_scope?(5)

  def ipv6_mc_orglocal? = __multicast_scope?(8)

  def ipv6_mc_global? = __multicast_scope?(14)

  def ipv6_to_ipv4
    return nil unless ipv6_v4mapped? || ipv6_v4compat?
    four = [Socket::AF_INET, 0, __in6 & 0xffff_ffff].pack("Snx0N") + "\0".b * 8
    Addrinfo.__send__(:__make, four.freeze, Socket::PF_INET, @socktype, @protocol)
  end

  def getnameinfo(flags = 0)
    flags |= Socket::NI_DGRAM if @socktype == Socket::SOCK_DGRAM
    Socket.__send__(:__nameinfo, @sockaddr, flags)
  end

  def inspect_sockaddr
    case afamily
    when Socket::AF_INET
      return "too-short-AF_INET-sockaddr #{@sockaddr.bytesize} bytes" if @sockaddr.bytesize < 8
      address = @sockaddr.unpack("@4C4").join(".")
      ip_port.zero? ? address : "#{address}:#{ip_port}"
    when Socket::AF_INET6
      return "too-short-AF_INET6-sockaddr #{@sockaddr.bytesize} bytes" if @sockaddr.bytesize < 28
      ip_port.zero? ? ip_address : "[#{ip_address}]:#{ip_port}"
    when Socket::AF_UNIX
      path = unix_path
      if path.empty? then "empty-path-AF_UNIX-sockaddr"
      elsif path.start_with?("/") && path.match?(/\A[[:print:]]+\z/n) then path
      elsif path.match?(/\A[[:print:]]+\z/n) then "UNIX #{path}"
      else "UNIX" + path.bytes.map { |b| format(":%02x", b) }.join
      end
    else
      return "empty-sockaddr" if @sockaddr.empty?
      return "too-short-sockaddr" if @sockaddr.bytesize < 2
      name = Socket.const_get(:Names).name_of(afamily, "AF_") || "unknown address family #{afamily}"
      "#{name}[#{@sockaddr.byteslice(2..).unpack1("H*")}]"
    end
  end

  def inspect
    names = Socket.const_get(:Names)
    text = inspect_sockaddr
    if @pfamily != afamily
      text += " #{names.name_of(@pfamily, "PF_") || "PF_#{@pfamily}"}"
    end
    internet = @pfamily == Socket::PF_INET || @pfamily == Socket::PF_INET6
    if internet && @socktype == Socket::SOCK_STREAM && [0, Socket::IPPROTO_TCP].include?(@protocol)
      text += " TCP"
    elsif internet && @socktype == Socket::SOCK_DGRAM && [0, Socket::IPPROTO_UDP].include?(@protocol)
      text += " UDP"
    else
      text += " #{names.name_of(@socktype, "SOCK_") || "unknown socktype (#{@socktype})"}" unless @socktype.zero?
      unless @protocol.zero?
        known = internet && names.name_of(@protocol, "IPPROTO_")
        text += known ? " #{known.delete_prefix("IPPROTO_")}" : " unknown protocol (#{@protocol})"
      end
    end
    text += " #{@canonname}" if @canonname
    text += " (#{@inspectname})" if @inspectname
    "#<Addrinfo: #{text}>"
  end

  def marshal_dump
    names = Socket.const_get(:Names)
    address = unix? ? unix_path : ip? ? [ip_address, ip_port.to_s] : @sockaddr
    [names.name_of(afamily, "AF_"), address, names.name_of(@pfamily, "PF_"),
     @socktype.zero? ? 0 : names.name_of(@socktype, "SOCK_"),
     @protocol.zero? ? 0 : names.name_of(@protocol, "IPPROTO_"), @canonname, @inspectname]
  end

  def marshal_load(parts)
    names = Socket.const_get(:Names)
    afamily, address, pfamily, socktype, protocol, canonname, inspectname = parts
    sockaddr = case afamily
               when "AF_UNIX" then Socket.sockaddr_un(address)
               when "AF_INET", "AF_INET6" then Socket.sockaddr_in(address[1], address[0])
               else address
               end
    protocol = protocol.is_a?(String) ? names.number(protocol, ["IPPROTO_"], "protocol") : protocol
    __set(sockaddr, names.family(pfamily), names.type(socktype), protocol, canonname)
    @inspectname = inspectname
  end

  def family_addrinfo(*args)
    if args.empty?
      raise ArgumentError, "no address specified"
    elsif args.first.is_a?(Addrinfo)
      raise ArgumentError, "too many arguments" unless args.size == 1
      other = args.first
      if other.pfamily != pfamily || other.socktype != socktype
        raise ArgumentError, "Addrinfo type mismatch"
      end
      other
    elsif ip?
      raise ArgumentError, "IP address needs host and port but #{args.size} arguments given" unless args.size == 2
      Addrinfo.getaddrinfo(args[0], args[1], pfamily, socktype, protocol).first
    elsif unix?
      raise ArgumentError, "UNIX socket needs single path argument but #{args.size} given" unless args.size == 1
      Addrinfo.unix(args.first, socktype)
    else
      raise ArgumentError, "unexpected family"
    end
  end

  def connect(timeout: nil, &block) = __connect(nil, timeout, &block)

  def connect_from(*args, timeout: nil, &block) = __connect(family_addrinfo(*args), timeout, &block)

  def connect_to(*args, timeout: nil, &block) = family_addrinfo(*args).__send__(:__connect, self, timeout, &block)

  def listen(backlog = Socket::SOMAXCONN, &block)
    __bound(block) { |socket| socket.listen(backlog) }
  end

  def bind(&block) = __bound(block) {}

  private

  # A socket bound to this address, made ready by the caller's block; for the time of `block`, if there is one.
  def __bound(block)
    socket = Socket.new(pfamily, socktype, protocol)
    begin
      socket.ipv6only! if ipv6?
      socket.setsockopt(:SOCKET, :REUSEADDR, 1)
      socket.bind(self)
      yield socket
    rescue Exception
      socket.close
      raise
    end
    return socket unless block
    begin
      block.call(socket)
    ensure
      socket.close
    end
  end

  def __connect(local, timeout)
    socket = Socket.new(pfamily, socktype, protocol)
    begin
      socket.ipv6only! if ipv6?
      socket.bind(local) if local
      if timeout.nil?
        socket.connect(self)
      elsif socket.__send__(:__connect, @sockaddr, "connect(2) for #{inspect_sockaddr}", timeout) == :timeout
        raise Errno::ETIMEDOUT, "user specified timeout for #{inspect_sockaddr}"
      end
    rescue Exception
      socket.close
      raise
    end
    return socket unless block_given?
    begin
      yield socket
    ensure
      socket.close
    end
  end

  def __set(sockaddr, pfamily, socktype, protocol, canonname)
    @sockaddr = sockaddr
    @pfamily = pfamily
    @socktype = socktype
    @protocol = protocol
    @canonname = canonname
  end

  # The names it was looked up by, where they say more than the address.
  def __asked(host, service)
    host = nil if host.is_a?(String) && (host.empty? || (ip? && host == ip_address)) || host.is_a?(Integer)
    service = nil if service.nil? || service.is_a?(Integer) || service.to_s.match?(/\A\d+\z/)
    return unless host || service
    @inspectname = service ? "#{host}:#{service}" : host.to_s
  end

  def __need_ip
    raise SocketError, "need IPv4 or IPv6 address" unless ip?
  end

  def __in4 = @sockaddr.unpack1("@4N")

  def __between?(net, mask) = __in4 & mask == net

  def __in6
    high, low = @sockaddr.unpack("@8Q>Q>")
    (high << 64) | low
  end

  def __multicast_scope?(scope) = ipv6_multicast? && (__in6 >> 112) & 0xf == scope
end
