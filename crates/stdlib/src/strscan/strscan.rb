# frozen_string_literal: true

# StringScanner: what is not native. Positions are bytes; what is not scanned yet counts as a string of its own, whose
# start `\A` and `^` match, unless the anchors are fixed.
class StringScanner
  class Error < StandardError; end

  Version = "3.1.6"
  Id = "$Id$"

  def self.must_C_version = self

  def initialize(string, _dup = nil, fixed_anchor: false)
    __setup(string, fixed_anchor)
  end

  def concat(text)
    unless Primitive.kind_of(text, String)
      converted = text.respond_to?(:to_str) ? text.to_str : nil
      unless Primitive.kind_of(converted, String)
        raise TypeError, "no implicit conversion of #{Asterism::Internal.convert_name(text)} into String"
      end
      text = converted
    end
    string << text
    self
  end
  alias << concat

  def scan_integer(base: 10)
    case base
    when 10
      found = scan(/[+-]?\d+/)
      found && found.to_i
    when 16
      found = scan(/[+-]?(?:0x)?[0-9a-fA-F]+/)
      found && found.to_i(16)
    else
      raise ArgumentError, "Unsupported integer base: #{base.inspect}, expected 10 or 16"
    end
  end

  def captures
    n = size
    n && Array.new(n - 1) { |i| self[i + 1] }
  end

  def values_at(*groups)
    matched? ? groups.map { |group| self[group] } : nil
  end

  def named_captures
    regexp = __regexp
    return {} unless regexp
    regexp.names.to_h { |name| [name, self[name]] }
  end

  def inspect
    return "#<#{self.class} (uninitialized)>" unless __initialized?
    return "#<#{self.class} fin>" if eos?
    after = rest_size > 5 ? "#{peek(5)}...".inspect : rest.inspect
    at = pos
    return "#<#{self.class} #{at}/#{string.bytesize} @ #{after}>" if at == 0
    before = at > 5 ? "...#{string.byteslice(at - 5, 5)}" : string.byteslice(0, at)
    "#<#{self.class} #{at}/#{string.bytesize} #{before.inspect} @ #{after}>"
  end

  include Asterism::Internal::NotDumpable
end
