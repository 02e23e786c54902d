# frozen_string_literal: true

# Sockets as the system has them.
class Socket < BasicSocket
  class << self
    def pair(domain = nil, type = nil, protocol = 0)
      domain = domain.nil? ? AF_UNIX : Names.family(domain)
      type = type.nil? ? SOCK_STREAM : Names.type(type)
      pair = __pair(domain, type, Names.integer(protocol))
      return pair unless block_given?
      begin
        yield pair
      ensure
        pair.each { |socket| socket.close unless socket.closed? }
      end
    end
    alias socketpair pair

    def getaddrinfo(host, service, family = nil, socktype = nil, protocol = nil, flags = nil, reverse_lookup = nil)
      numeric = __numeric?(reverse_lookup, BasicSocket.do_not_reverse_lookup)
      __lookup(host, service, family, socktype, protocol, flags).map do |sockaddr, pfamily, type, proto, _|
        __row(sockaddr, numeric) + [pfamily, type, proto]
      end
    end

    def getnameinfo(sockaddr, flags = 0)
      if sockaddr.is_a?(Array)
        family, port, host, address = sockaddr
        unless sockaddr.size == 3 || sockaddr.size == 4
          raise ArgumentError, "array size should be 3 or 4, #{sockaddr.size} given"
        end
        address ||= host
        family = family.nil? ? nil : Names.family(family)
        type = flags & NI_DGRAM == 0 ? SOCK_STREAM : SOCK_DGRAM
        sockaddr = __lookup(address, port.is_a?(Integer) ? port.to_s : port, family, type, nil, nil).first[0]
      else
        sockaddr = sockaddr.to_sockaddr if sockaddr.is_a?(Addrinfo)
      end
      __nameinfo(sockaddr, flags)
    end

    def sockaddr_in(port, host)
      row = __lookup(host, port || 0, nil, nil, nil, nil, nil, true).first
      row[0]
    end
    alias pack_sockaddr_in sockaddr_in

    def unpack_sockaddr_in(sockaddr)
      sockaddr = sockaddr.to_sockaddr if sockaddr.is_a?(Addrinfo)
      family = sockaddr.bytesize < 2 ? 0 : sockaddr.unpack1("S")
      raise ArgumentError, "not an AF_INET/AF_INET6 sockaddr" unless Names.ip?(family)
      host, port = __nameinfo(sockaddr, NI_NUMERICHOST | NI_NUMERICSERV)
      [port.to_i, host]
    end

    def sockaddr_un(path)
      path = path.to_path if path.respond_to?(:to_path)
      path = String.try_convert(path) || raise(TypeError, "no implicit conversion of #{path.nil? ? "nil" : path.class} into String")
      path = path.b
      if path.bytesize > 108
        raise ArgumentError, "too long unix socket path (#{path.bytesize}bytes given but 108bytes max)"
      end
      ([AF_UNIX].pack("S") + path).ljust(path.empty? || path.start_with?("\0") ? 0 : 110, "\0".b)
    end
    alias pack_sockaddr_un sockaddr_un

    def unpack_sockaddr_un(sockaddr)
      sockaddr = sockaddr.to_sockaddr if sockaddr.is_a?(Addrinfo)
      raise ArgumentError, "not an AF_UNIX sockaddr" unless sockaddr.bytesize >= 2 && sockaddr.unpack1("S") == AF_UNIX
      path = sockaddr.byteslice(2..)
      path = path.sub(/\0+\z/n, "") unless path.start_with?("\0") && path.match?(/[^\0]/n)
      path.b
    end

    def getservbyname(name, protocol = "tcp")
      rows = begin
        __resolve(nil, name, AF_INET, protocol == "udp" ? SOCK_DGRAM : SOCK_STREAM, 0, 0, nil)
      rescue SocketError
        []
      end
      raise SocketError, "no such service #{name}/#{protocol}" if rows.empty? || !%w[tcp udp].include?(protocol)
      rows.first[0].unpack1("@2n")
    end

    def getservbyport(port, protocol = "tcp")
      sockaddr = [AF_INET, port, 127, 0, 0, 1].pack("SnC4") + "\0".b * 8
      name = __nameinfo(sockaddr, NI_NUMERICHOST | (protocol == "udp" ? NI_DGRAM : 0))[1]
      raise SocketError, "no such service for port #{port}/#{protocol}" if name.match?(/\A\d+\z/)
      name
    end

    def gethostbyname(name)
      rows = __lookup(name, nil, nil, SOCK_STREAM, nil, AI_CANONNAME)
      family = rows.first[1]
      addresses = rows.select { |row| row[1] == family }.map { |row| __address_bytes(row[0]) }
      [rows.first[4] || name, [], family, *addresses.uniq]
    end

    def gethostbyaddr(address, family = AF_INET)
      family = Names.family(family)
      sockaddr = family == AF_INET6 ? [family].pack("S") + "\0".b * 6 + address + "\0".b * 4 : [family, 0].pack("Sn") + address + "\0".b * 8
      raise SocketError, "host not found" unless address.bytesize == (family == AF_INET6 ? 16 : 4)
      begin
        name = __nameinfo(sockaddr, NI_NAMEREQD)[0]
      rescue SocketError
        raise SocketError, "host not found"
      end
      [name, [], family, address]
    end

    def getifaddrs = __interfaces.map { |row| Ifaddr.__send__(:__make, row) }

    def ip_address_list
      getifaddrs.filter_map do |interface|
        address = interface.addr
        address if address&.ip?
      end
    end

    private

    # Rows of getaddrinfo; the arguments as Ruby's methods take them.
    def __lookup(host, service, family, socktype, protocol, flags, timeout = nil, any_type = false)
      family = family.nil? ? 0 : Names.family(family)
      socktype = socktype.nil? ? 0 : Names.type(socktype)
      host = case host
             when nil then nil
             when Integer then [host].pack("N").unpack("C4").join(".")
             else
               text = String.try_convert(host) || raise(TypeError, "no implicit conversion of #{host.class} into String")
               case text
               when "", "<any>" then family == AF_INET6 ? "::" : "0.0.0.0"
               when "<broadcast>" then "255.255.255.255"
               else text
               end
             end
      service = case service
                when nil then host ? nil : service
                when Integer then service.to_s
                when Symbol then service.name
                else
                  text = String.try_convert(service) || raise(TypeError, "no implicit conversion of #{service.class} into String")
                  text.empty? ? "0" : text
                end
      flags = flags.nil? ? 0 : Names.integer(flags)
      if socktype.zero? && any_type && (service.nil? || service.match?(/\A\d+\z/))
        socktype = SOCK_DGRAM
      end
      if host && !host.match?(/\A[\d.]+\z|:/) && flags & AI_NUMERICHOST == 0 &&
         (scheduler = Fiber.current_scheduler) && scheduler.respond_to?(:address_resolve)
        # An address of another family than the one asked for is left out.
        rows = (scheduler.address_resolve(host) || []).flat_map do |address|
          __lookup(address, service, family, socktype, protocol, flags | AI_NUMERICHOST, timeout, any_type)
        rescue ResolutionError
          []
        end
        raise ResolutionError, "getaddrinfo(3): Name or service not known" if rows.empty?
        return rows
      end
      flags |= AI_NUMERICSERV if service && service.match?(/\A\d+\z/)
      rows = __resolve(host, service, family, socktype, protocol.nil? ? 0 : Names.integer(protocol), flags, timeout)
      raise IO::TimeoutError, "user specified timeout for #{host}:#{service}" if rows.nil?
      rows
    end

    def __numeric?(reverse_lookup, default)
      case reverse_lookup
      when nil then default
      when true, :hostname then false
      when false, :numeric then true
      when Symbol then raise ArgumentError, "invalid reverse_lookup flag: :#{reverse_lookup}"
      else raise TypeError, "wrong argument type #{reverse_lookup.class} (expected true, false, :hostname, or :numeric)"
      end
    end

    # `["AF_INET", port, name, address]`
    def __row(sockaddr, numeric)
      family = sockaddr.unpack1("S")
      return [Names.name_of(family, "AF_") || "unknown:#{family}", 0, "", ""] unless Names.ip?(family)
      address, port = __nameinfo(sockaddr, NI_NUMERICHOST | NI_NUMERICSERV)
      name = address
      unless numeric
        begin
          name = __nameinfo(sockaddr, NI_NUMERICSERV)[0]
        rescue SocketError
          name = address
        end
      end
      [Names.name_of(family, "AF_"), port.to_i, name, address]
    end

    def __address_bytes(sockaddr)
      sockaddr.unpack1("S") == AF_INET6 ? sockaddr.byteslice(8, 16) : sockaddr.byteslice(4, 4)
    end
  end

  def initialize(domain, type = SOCK_STREAM, protocol = 0)
    __open(Names.family(domain), Names.type(type), Names.integer(protocol))
  end

  def bind(address) = __bind(__sockaddr(address), "bind(2) for #{__shown(address)}")

  def listen(backlog) = __listen(Names.integer(backlog))

  def connect(address) = __connect(__sockaddr(address), "connect(2) for #{__shown(address)}", true)

  def connect_nonblock(address, exception: true)
    done = __connect(__sockaddr(address), "connect(2) for #{__shown(address)}", false)
    return done unless done == :wait_writable && exception
    raise IO::EINPROGRESSWaitWritable, "connect(2) would block"
  end

  def accept
    socket, from = __accept(Socket, true)
    [socket, socket.__send__(:__addrinfo, from)]
  end

  def accept_nonblock(exception: true)
    got = __accept(Socket, false)
    return exception ? __would_block("accept(2)") : got if got == :wait_readable
    [got[0], got[0].__send__(:__addrinfo, got[1])]
  end

  def sysaccept
    socket, from = __accept(Socket, true)
    socket.autoclose = false
    [socket.fileno, socket.__send__(:__addrinfo, from)]
  end

  def recvfrom(length, flags = 0, buffer = nil)
    got = __recvfrom(length, flags, buffer, true)
    got && [got[0], __sender(got[1])]
  end

  def recvfrom_nonblock(length, flags = 0, buffer = nil, exception: true)
    got = __recvfrom(length, flags, buffer, false)
    return exception ? __would_block("recvfrom(2)") : got if got == :wait_readable
    got && [got[0], __sender(got[1])]
  end

  def ipv6only!
    setsockopt(:IPV6, :V6ONLY, 1)
  end

  private

  def __shown(address)
    return address.inspect_sockaddr if address.is_a?(Addrinfo)
    Addrinfo.new(address).inspect_sockaddr
  end

  # One address of one interface.
  class Ifaddr
    class << self
      private

      def __make(row)
        made = allocate
        made.__send__(:__set, row)
        made
      end

      undef_method :new
    end

    attr_reader :name, :ifindex, :flags, :addr, :netmask

    def broadaddr = @flags & IFF_BROADCAST == 0 ? nil : @other

    def dstaddr = @flags & IFF_POINTOPOINT == 0 ? nil : @other

    def inspect
      flags = %i[UP BROADCAST DEBUG LOOPBACK POINTOPOINT RUNNING NOARP PROMISC ALLMULTI MULTICAST].select do |name|
        @flags & Constants.const_get(:"IFF_#{name}") != 0
      end
      text = "#<#{self.class} #{@name} #{flags.join(",")}"
      text += " #{@addr.inspect_sockaddr}" if @addr
      text += " netmask=#{@netmask.inspect_sockaddr}" if @netmask
      text += " broadcast=#{broadaddr.inspect_sockaddr}" if broadaddr
      text += " dstaddr=#{dstaddr.inspect_sockaddr}" if dstaddr
      "#{text}>"
    end

    private

    def __set(row)
      @name, @ifindex, @flags, *addresses = row
      @addr, @netmask, @other = addresses.map do |bytes|
        bytes && Addrinfo.__send__(:__make, bytes, bytes.unpack1("S"), 0, 0)
      end
    end
  end
end
