# frozen_string_literal: true

# StringScanner: matches regexps one after the other along a String. Positions are bytes; as in CRuby, what is not
# scanned yet counts as a string of its own, whose start `\A` and `^` match.
class StringScanner
  class Error < StandardError; end

  Version = "3.1.6"
  Id = "$Id$"

  # Regexps that match only at the start, by the one they were made from.
  ANCHORED = {}.compare_by_identity
  private_constant :ANCHORED

  def self.must_C_version = self

  attr_reader :string

  def initialize(string, _dup = nil, fixed_anchor: false)
    raise NotImplementedError, "StringScanner with fixed_anchor: true" if fixed_anchor
    @string = string.to_str
    reset
  end

  def initialize_copy(other)
    super
    @match = nil
  end

  def string=(string)
    @string = string.to_str
    reset
    string
  end

  def concat(text)
    @string << text.to_str
    self
  end
  alias << concat

  def pos = @pos
  alias pointer pos

  def charpos = @string.byteslice(0, @pos).length

  def pos=(pos)
    target = pos.to_int
    target += @string.bytesize if target < 0
    raise RangeError, "index out of range" if target < 0 || target > @string.bytesize
    @pos = target
    pos
  end
  alias pointer= pos=

  def reset
    @pos = 0
    @match = nil
    self
  end

  def terminate
    @pos = @string.bytesize
    @match = nil
    self
  end
  alias clear terminate

  def unscan
    raise Error, "unscan error: previous match record not exist" unless @match
    @pos = @before
    @match = nil
    self
  end

  def scan(pattern) = __head(pattern, true, true)

  def match?(pattern) = __head(pattern, false, false)

  def skip(pattern) = __head(pattern, true, false)

  def check(pattern) = __head(pattern, false, true)

  def scan_full(pattern, advance, return_string) = __head(pattern, advance, return_string)

  def scan_until(pattern) = __search(pattern, true, true)

  def exist?(pattern) = __search(pattern, false, false)

  def skip_until(pattern) = __search(pattern, true, false)

  def check_until(pattern) = __search(pattern, false, true)

  def search_full(pattern, advance, return_string) = __search(pattern, advance, return_string)

  def getch = scan(/./m)

  def get_byte
    return @match = nil if eos?
    __set([@string.byteslice(@pos, 1)], 0, 1)
    @pos += 1
    @match[0]
  end

  def scan_byte
    return @match = nil if eos?
    byte = @string.getbyte(@pos)
    get_byte
    byte
  end

  def peek_byte = @string.getbyte(@pos)

  def scan_integer(base: 10)
    case base
    when 10 then scan(/[+-]?\d+/)&.to_i
    when 16 then scan(/[+-]?(?:0x)?[0-9a-fA-F]+/)&.to_i(16)
    else raise ArgumentError, "Unsupported integer base: #{base.inspect}"
    end
  end

  def peek(length) = @string.byteslice(@pos, length) || +""

  def eos? = @pos >= @string.bytesize

  def rest? = !eos?

  def rest = @string.byteslice(@pos, @string.bytesize) || +""

  def rest_size = [@string.bytesize - @pos, 0].max

  def beginning_of_line? = @pos.zero? || @string.getbyte(@pos - 1) == 10
  alias bol? beginning_of_line?

  def fixed_anchor? = false

  def matched? = !@match.nil?

  def matched = @match && @match[0]

  def matched_size = @match && @match[0].bytesize

  def [](group)
    return nil unless @match
    return @match[group] if @match.is_a?(MatchData) || group.is_a?(Integer)
    raise IndexError, "undefined group name reference: #{group}"
  end

  def size = @match&.size

  def captures = @match && @match.to_a.drop(1)

  def values_at(*groups) = @match && @match.to_a.values_at(*groups)

  def named_captures = @match.is_a?(MatchData) ? @match.named_captures : {}

  def pre_match = @match && @string.byteslice(0, @before + @start)

  def post_match = @match && @string.byteslice(@before + @end, @string.bytesize)

  def inspect
    return "#<StringScanner fin>" if eos?
    after = rest.bytesize > 5 ? "#{rest.byteslice(0, 5)}...".inspect : rest.inspect
    return "#<StringScanner #{@pos}/#{@string.bytesize} @ #{after}>" if @pos.zero?
    before = @pos > 5 ? "...#{@string.byteslice(@pos - 5, 5)}" : @string.byteslice(0, @pos)
    "#<StringScanner #{@pos}/#{@string.bytesize} #{before.inspect} @ #{after}>"
  end

  private

  def __anchored(pattern)
    ANCHORED[pattern] || begin
      ANCHORED.clear if ANCHORED.size > 1000
      ANCHORED[pattern] = Regexp.new("\\A(?:#{pattern.source}#{"\n" if pattern.options & Regexp::EXTENDED != 0})", pattern.options)
    end
  end

  def __set(match, start, finish)
    @match = match
    @before = @pos
    @start = start
    @end = finish
  end

  def __head(pattern, advance, return_string)
    return @match = nil if @pos > @string.bytesize
    if pattern.is_a?(String)
      return @match = nil unless @string.byteslice(@pos, pattern.bytesize) == pattern
      __set([pattern], 0, pattern.bytesize)
    else
      raise TypeError, "wrong argument type #{pattern.class} (expected Regexp)" unless pattern.is_a?(Regexp)
      match = __anchored(pattern).match(rest)
      return @match = nil unless match
      __set(match, 0, match[0].bytesize)
    end
    __finish(advance, return_string)
  end

  def __search(pattern, advance, return_string)
    return @match = nil if @pos > @string.bytesize
    if pattern.is_a?(String)
      at = @string.byteindex(pattern, @pos)
      return @match = nil unless at
      __set([pattern], at - @pos, at - @pos + pattern.bytesize)
    else
      raise TypeError, "wrong argument type #{pattern.class} (expected Regexp)" unless pattern.is_a?(Regexp)
      match = pattern.match(rest)
      return @match = nil unless match
      start = match.byteoffset(0)[0]
      __set(match, start, start + match[0].bytesize)
    end
    __finish(advance, return_string)
  end

  def __finish(advance, return_string)
    @pos = @before + @end if advance
    return_string ? @string.byteslice(@before, @end) : @end
  end
end
