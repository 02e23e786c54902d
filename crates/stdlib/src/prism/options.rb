# frozen_string_literal: true

# The options of a call as the parser reads them. Its lengths are those of copies, which nobody else changes.
module Prism::Options
  KNOWN = [
    :command_line, :encoding, :filepath, :freeze, :frozen_string_literal, :line, :main_script, :partial_script, :scopes, :version
  ].freeze
  SWITCHES = { "a" => 1, "e" => 2, "l" => 4, "n" => 8, "p" => 16, "x" => 32 }.freeze
  FORWARDED = { :* => 1, :** => 2, :& => 4, :"..." => 8 }.freeze

  class << self
    def packed(options)
      unknown = options.keys.find { |key| !KNOWN.include?(key) }
      raise ArgumentError, "unknown keyword: #{unknown}" if unknown
      encoding = options[:encoding]
      encoding = encoding.name if Primitive.kind_of(encoding, Encoding)
      [
        text(options[:filepath]), [options[:line] || 1].pack("l"), text(encoding || nil),
        flags(options).pack("cC7"), scopes(options[:scopes])
      ].join.b
    end

    private

    def flags(options)
      literal = options[:frozen_string_literal]
      [
        nil.equal?(literal) ? 0 : literal ? 1 : -1, switches(options[:command_line]), version(options[:version]),
        options[:encoding] == false ? 1 : 0, options[:main_script] ? 1 : 0, options[:partial_script] ? 1 : 0,
        options[:freeze] ? 1 : 0, 0
      ]
    end

    def text(value)
      return [0].pack("L") if nil.equal?(value)
      value = String.new(Asterism::Internal.to_str(value)).b.freeze
      [value.bytesize].pack("L") << value
    end

    def switches(letters)
      return 0 if nil.equal?(letters)
      Asterism::Internal.to_str(letters).each_char.sum do |letter|
        SWITCHES.fetch(letter) { raise ArgumentError, "invalid command line flag: '#{letter}'" }
      end
    end

    def version(name)
      current = name == "current"
      name = RUBY_VERSION if current
      case name
      when nil, "latest" then 0
      when /\A3\.3(\.\d+)?\z/ then 1
      when /\A3\.4(\.\d+)?\z/ then 2
      when /\A3\.5(\.\d+)?\z/, /\A4\.0(\.\d+)?\z/ then 3
      when /\A4\.1(\.\d+)?\z/ then 4
      else raise current ? Prism::CurrentVersionError.new(name) : ArgumentError.new("invalid version: #{name}")
      end
    end

    def scopes(list)
      return [0].pack("L") if nil.equal?(list)
      list = list.dup.freeze
      list.each_with_object([list.size].pack("L")) do |scope, out|
        names, forwarded = scope, 0
        if Primitive.kind_of(scope, Prism::Scope)
          names = scope.locals
          forwarded = scope.forwarding.sum { |sign| FORWARDED.fetch(sign) { raise ArgumentError, "invalid forwarding value: #{sign}" } }
        elsif !Primitive.kind_of(scope, Array)
          raise TypeError, "wrong argument type #{scope.class.inspect} (expected Array or Prism::Scope)"
        end
        names = names.dup.freeze
        out << [names.size, forwarded].pack("LC")
        names.each { |name| out << text(name.name) }
      end
    end
  end
end
