# frozen_string_literal: true

# Names of families, types, protocols and options, for people and for the system.
class SocketError < StandardError
end

class Socket
  class ResolutionError < SocketError
    attr_reader :error_code
  end

  # What `Socket::…` methods share: numbers from names and names from numbers.
  module Names
    LEVEL_PREFIXES = {
      Constants::SOL_SOCKET => ["SO_"], Constants::IPPROTO_IP => ["IP_", "MCAST_"],
      Constants::IPPROTO_IPV6 => ["IPV6_", "MCAST_"], Constants::IPPROTO_TCP => ["TCP_"],
      Constants::IPPROTO_UDP => ["UDP_"]
    }.freeze
    LEVEL_WORDS = {
      Constants::SOL_SOCKET => "socket", Constants::IPPROTO_IP => "IP", Constants::IPPROTO_IPV6 => "IPv6",
      Constants::IPPROTO_TCP => "TCP", Constants::IPPROTO_UDP => "UDP"
    }.freeze

    VALUES_OF_OPTIONS = /\AIP(?:V6)?_(?:PMTUDISC|DEFAULT|MAX)_/
    # By prefix and number: the name that is shown, which is the first of several.
    PREFERRED = Constants.constants.each_with_object({}) do |name, all|
      next if VALUES_OF_OPTIONS.match?(name)
      (all[name[/\A[^_]*_/]] ||= {})[Constants.const_get(name)] ||= name
    end
    %w[AF_ PF_].each { |prefix| PREFERRED[prefix][Constants::AF_UNIX] = :"#{prefix}UNIX" }
    PREFERRED.each_value(&:freeze).freeze
    private_constant :VALUES_OF_OPTIONS, :PREFERRED

    class << self
      # The number a constant's name or a part of it stands for; numbers stand for themselves.
      def number(value, prefixes, what)
        name = value.is_a?(Symbol) ? value.name : String.try_convert(value)
        return integer(value) unless name
        candidates = prefixes.map { |prefix| prefix + name }
        candidates.unshift(name) if prefixes.any? { |prefix| name.start_with?(prefix) }
        candidates.each { |full| return Constants.const_get(full) if /\A[A-Z]\w*\z/.match?(full) && Constants.const_defined?(full) }
        raise SocketError, "unknown #{what}: #{name}"
      end

      def integer(value)
        return value if value.is_a?(Integer)
        raise TypeError, "no implicit conversion from nil to integer" if value.nil?
        raise TypeError, "no implicit conversion of #{value.class} into Integer" unless value.respond_to?(:to_int)
        value.to_int
      end

      def family(value) = number(value, ["AF_", "PF_"], "socket domain")

      def type(value) = number(value, ["SOCK_"], "socket type")

      def shutdown(value) = number(value, ["SHUT_"], "shutdown argument")

      def level(family, value)
        found = number(value, ip?(family) ? ["IPPROTO_", "SOL_"] : ["SOL_"], "protocol level")
        # By name, other families have only what belongs to the socket itself.
        return found if ip?(family) || found == Constants::SOL_SOCKET || value.is_a?(Integer)
        raise SocketError, "unknown protocol level: #{value}"
      end

      def option(family, level, value)
        prefixes = LEVEL_PREFIXES[level]
        prefixes = ["SO_"] if prefixes && !ip?(family) && level != Constants::SOL_SOCKET
        return integer(value) if prefixes.nil?
        word = LEVEL_WORDS[level]
        number(value, prefixes, "#{word} level option name")
      end

      def control(family, level, value)
        prefixes = level == Constants::SOL_SOCKET ? ["SCM_"] : LEVEL_PREFIXES[level]
        return integer(value) if prefixes.nil?
        word = level == Constants::SOL_SOCKET ? "UNIX control message" : "#{LEVEL_WORDS[level]} control message"
        number(value, prefixes, word)
      end

      def ip?(family) = family == Constants::AF_INET || family == Constants::AF_INET6

      # A constant's name, or nil.
      def name_of(number, *prefixes)
        prefixes.each do |prefix|
          found = PREFERRED.dig(prefix, number)
          return found.name if found
        end
        nil
      end

      def short_family(family) = name_of(family, "AF_")&.delete_prefix("AF_") || "family:#{family}"
    end
  end
  private_constant :Names
end
