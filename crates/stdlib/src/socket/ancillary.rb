# frozen_string_literal: true

# Control messages that travel beside the data.
class Socket
  class AncillaryData
    class << self
      def int(family, level, type, value) = new(family, level, type, [value].pack("i"))

      def unix_rights(*ios)
        ios.each { |io| raise TypeError, "IO expected" unless io.is_a?(IO) }
        made = new(:UNIX, :SOCKET, :RIGHTS, ios.map(&:fileno).pack("i*"))
        made.__send__(:__keep, ios)
        made
      end

      def ip_pktinfo(address, index, spec_dst = address)
        new(:INET, :IP, :PKTINFO, [index].pack("i") + spec_dst.to_sockaddr.byteslice(4, 4) + address.to_sockaddr.byteslice(4, 4))
      end

      def ipv6_pktinfo(address, index)
        new(:INET6, :IPV6, :PKTINFO, address.to_sockaddr.byteslice(8, 16) + [index].pack("I"))
      end
    end

    attr_reader :family, :level, :type, :data

    def initialize(family, level, type, data)
      names = Socket.const_get(:Names)
      @family = names.family(family)
      @level = names.level(@family, level)
      @type = names.control(@family, @level, type)
      @data = String.try_convert(data) || raise(TypeError, "no implicit conversion of #{data.class} into String")
    end

    def int
      raise TypeError, "size differ.  expected as sizeof(int)=4 but #{@data.bytesize}" unless @data.bytesize == 4
      @data.unpack1("i")
    end

    def cmsg_is?(level, type)
      names = Socket.const_get(:Names)
      level = names.level(@family, level)
      type = names.control(@family, level, type)
      @level == level && @type == type
    end

    def unix_rights
      raise TypeError, "SCM_RIGHTS ancillary data expected" unless @level == SOL_SOCKET && @type == SCM_RIGHTS
      @unix_rights
    end

    def timestamp
      if @level == SOL_SOCKET && @type == SCM_TIMESTAMP
        seconds, micros = @data.unpack("q2")
        return Time.at(seconds, micros)
      elsif @level == SOL_SOCKET && @type == SCM_TIMESTAMPNS
        seconds, nanos = @data.unpack("q2")
        return Time.at(seconds, nanos, :nsec)
      end
      raise TypeError, "timestamp ancillary data expected"
    end

    def ip_pktinfo
      unless @level == IPPROTO_IP && @type == IP_PKTINFO && @data.bytesize == 12
        raise TypeError, "IP_PKTINFO ancillary data expected"
      end
      index, spec, address = @data.unpack("ia4a4")
      [__address(address), index, __address(spec)]
    end

    def ipv6_pktinfo
      unless @level == IPPROTO_IPV6 && @type == IPV6_PKTINFO && @data.bytesize == 20
        raise TypeError, "IPV6_PKTINFO ancillary data expected"
      end
      address, index = @data.unpack("a16I")
      sockaddr = [AF_INET6].pack("S") + "\0".b * 6 + address + "\0".b * 4
      [Addrinfo.__send__(:__make, sockaddr, PF_INET6, 0, 0), index]
    end

    def ipv6_pktinfo_addr = ipv6_pktinfo[0]

    def ipv6_pktinfo_ifindex = ipv6_pktinfo[1]

    def inspect
      names = Socket.const_get(:Names)
      ip = names.ip?(@family)
      level = if @level == SOL_SOCKET then "SOCKET"
              elsif ip && @level == IPPROTO_IP then "IP"
              else ip && names.name_of(@level, "IPPROTO_")&.delete_prefix("IPPROTO_") || "cmsg_level:#{@level}"
              end
      prefixes = @level == SOL_SOCKET ? ["SCM_"] : names::LEVEL_PREFIXES[@level] || []
      known = (ip || @level == SOL_SOCKET) && names.name_of(@type, *prefixes)
      type = known ? known.sub(/\A[A-Z0-9]+_/, "") : "cmsg_type:#{@type}"
      "#<#{self.class}: #{names.short_family(@family)} #{level} #{type} #{__value || @data.inspect}>"
    end

    private

    # The data in words, if they are known.
    def __value
      case @level
      when SOL_SOCKET
        case @type
        when SCM_RIGHTS then @data.unpack("i*").join(" ") if @data.bytesize % 4 == 0
        when SCM_CREDENTIALS then format("pid=%d uid=%d gid=%d (ucred)", *@data.unpack("iII")) if @data.bytesize == 12
        when SCM_TIMESTAMP then timestamp.strftime("%Y-%m-%d %H:%M:%S.%6N") if @data.bytesize == 16
        when SCM_TIMESTAMPNS then timestamp.strftime("%Y-%m-%d %H:%M:%S.%9N") if @data.bytesize == 16
        end
      when IPPROTO_IP
        if @family == AF_INET && @type == IP_PKTINFO && @data.bytesize == 12
          index, *bytes = @data.unpack("iC8")
          # An index without an interface is shown as a number.
          shown = __interface(index) || "ifindex:#{index}"
          "#{bytes[4, 4].join(".")} #{shown} spec_dst:#{bytes[0, 4].join(".")}"
        end
      when IPPROTO_IPV6
        if @family == AF_INET6 && @type == IPV6_PKTINFO && @data.bytesize == 20
          index = ipv6_pktinfo_ifindex
          "#{ipv6_pktinfo_addr.ip_address} #{__interface(index) || "ifindex:#{index}"}"
        end
      end
    end

    def __interface(index)
      index.zero? ? nil : Socket.getifaddrs.find { |one| one.ifindex == index }&.name
    end

    def __keep(ios)
      @unix_rights = ios
    end

    def __address(bytes)
      sockaddr = [AF_INET, 0].pack("Sn") + bytes + "\0".b * 8
      Addrinfo.__send__(:__make, sockaddr, PF_INET, 0, 0)
    end
  end
end
