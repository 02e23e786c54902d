# frozen_string_literal: true

# A socket option with its value.
class Socket
  class Option
    class << self
      def int(family, level, name, value) = new(family, level, name, [value].pack("i"))

      def bool(family, level, name, value) = new(family, level, name, [value ? 1 : 0].pack("i"))

      def byte(family, level, name, value) = new(family, level, name, [value].pack("C"))

      def linger(onoff, seconds)
        on = case onoff
             when true, false, nil then onoff ? 1 : 0
             else Integer(onoff)
             end
        new(:UNSPEC, :SOCKET, :LINGER, [on, Integer(seconds)].pack("ii"))
      end

      def ipv4_multicast_ttl(value) = int(:INET, :IP, :MULTICAST_TTL, value)

      def ipv4_multicast_loop(value) = int(:INET, :IP, :MULTICAST_LOOP, value)
    end

    attr_reader :family, :level, :optname, :data

    def initialize(family, level, name, data)
      names = Socket.const_get(:Names)
      @family = names.family(family)
      @level = names.level(@family, level)
      @optname = names.option(@family, @level, name)
      @data = String.try_convert(data) || raise(TypeError, "no implicit conversion of #{data.class} into String")
    end

    alias to_s data

    def int
      __size(4)
      @data.unpack1("i")
    end

    def bool
      return @data.unpack1("C") != 0 if @data.bytesize == 1
      __size(4)
      @data.unpack1("i") != 0
    end

    def byte
      __size(1)
      @data.unpack1("C")
    end

    def linger
      raise TypeError, "linger socket option expected" unless @level == SOL_SOCKET && @optname == SO_LINGER
      __size(8, "struct linger")
      on, seconds = @data.unpack("ii")
      [on.zero? ? false : on == 1 ? true : on, seconds]
    end

    def ipv4_multicast_ttl
      raise TypeError, "ipv4_multicast_ttl socket option expected" unless @family == AF_INET && @level == IPPROTO_IP && @optname == IP_MULTICAST_TTL
      int
    end

    def ipv4_multicast_loop
      raise TypeError, "ipv4_multicast_loop socket option expected" unless @family == AF_INET && @level == IPPROTO_IP && @optname == IP_MULTICAST_LOOP
      int
    end

    def unpack(template) = @data.unpack(template)

    def inspect
      names = Socket.const_get(:Names)
      ip = names.ip?(@family)
      level = if @level == SOL_SOCKET then "SOCKET"
              elsif ip && @level == IPPROTO_IP then "IP"
              else ip && names.name_of(@level, "IPPROTO_")&.delete_prefix("IPPROTO_") || "level:#{@level}"
              end
      prefixes = names::LEVEL_PREFIXES[@level]
      known = prefixes && (@level == SOL_SOCKET || ip) && names.name_of(@optname, *prefixes)
      name = known ? known.sub(/\A(?:SO|IP|IPV6|TCP|UDP|MCAST)_/, "") : "optname:#{@optname}"
      "#<#{self.class}: #{names.short_family(@family)} #{level} #{name} #{__value}>"
    end

    private

    def __size(n, what = "int")
      return if @data.bytesize == n
      if what == "int" || n == 4 || n == 1
        raise TypeError, "size differ.  expected as sizeof(#{n == 1 ? "char" : "int"})=#{n} but #{@data.bytesize}"
      end
      raise TypeError, "size differ.  expected as sizeof(#{what})=#{n} but #{@data.bytesize}"
    end

    def __value
      if @level == SOL_SOCKET && @optname == SO_LINGER && @data.bytesize == 8
        on, seconds = @data.unpack("ii")
        return "#{on.zero? ? "off" : on == 1 ? "on" : "on(#{on})"} #{seconds}sec"
      end
      if @level == SOL_SOCKET
        text = __socket_value
        return text if text
      elsif @level == IPPROTO_IP
        return @data.unpack("C4").join(".") if @optname == IP_MULTICAST_IF && @data.bytesize == 4
        return @data.inspect unless @optname == IP_MULTICAST_TTL || @optname == IP_MULTICAST_LOOP
      end
      return @data.unpack1("i").to_s if @data.bytesize == 4
      @data.inspect
    end

    # The value of an option of the socket itself that is no plain number.
    def __socket_value
      case @optname
      when SO_TYPE
        Socket.const_get(:Names).name_of(@data.unpack1("i"), "SOCK_") if @data.bytesize == 4
      when SO_ERROR
        return unless @data.bytesize == 4
        number = @data.unpack1("i")
        "#{SystemCallError.new(number).message} (#{number})"
      when SO_RCVTIMEO, SO_SNDTIMEO
        format("%d.%06dsec", *@data.unpack("q2")) if @data.bytesize == 16
      when SO_PEERCRED
        format("pid=%d euid=%d egid=%d (ucred)", *@data.unpack("iII")) if @data.bytesize == 12
      end
    end
  end
end
