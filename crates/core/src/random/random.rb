# frozen_string_literal: true

class Random
  # Numbers for whatever has `bytes`, such as SecureRandom. The library `random/formatter` adds texts.
  module Formatter
    def random_number(limit = nil)
      case limit
      when Range then Formatter.from_range(self, limit) || Formatter.unit(self)
      when nil, false then Formatter.unit(self)
      when Float then limit > 0 ? Formatter.unit(self) * limit : Formatter.unit(self)
      else
        n = Primitive.to_integer(limit)
        n > 0 ? Formatter.below(self, n) : Formatter.unit(self)
      end
    end

    def rand(limit = nil)
      case limit
      when nil then Formatter.unit(self)
      when Range then Formatter.from_range(self, limit) || raise(ArgumentError, "invalid argument - #{limit}")
      when Float
        raise ArgumentError, "invalid argument - #{limit}" unless limit > 0
        Formatter.unit(self) * limit
      else
        n = Primitive.to_integer(limit)
        raise ArgumentError, "invalid argument - #{limit}" unless n > 0
        Formatter.below(self, n)
      end
    end

    class << self
      # An Integer of so many random bits.
      def bits(source, n)
        size = (n + 7) / 8
        text = source.bytes(size)
        raise RangeError, "random data too short #{text.bytesize}" if text.bytesize < size
        text.unpack("C*").inject(0) { |sum, byte| sum << 8 | byte } & ((1 << n) - 1)
      end

      def unit(source) = bits(source, 53) * (1.0 / 9_007_199_254_740_992)

      def below(source, limit)
        width = (limit - 1).bit_length
        return 0 if width == 0
        loop do
          n = bits(source, width)
          return n if n < limit
        end
      end

      # nil for an empty Range.
      def from_range(source, range)
        low = range.begin
        high = range.end
        raise Errno::EDOM if nil.equal?(low) || nil.equal?(high)
        if Integer === low && Integer === high
          count = high - low
          count += 1 unless range.exclude_end?
          return count > 0 ? low + below(source, count) : nil
        end
        span = high - low
        return nil unless span >= 0
        return low + unit(source) * span if range.exclude_end?
        low + bits(source, 53) * (1.0 / 9_007_199_254_740_991) * span
      end
    end
  end

  include Formatter
  extend Formatter
end
