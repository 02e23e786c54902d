# frozen_string_literal: true

class IO
  # What of IO::Buffer takes blocks or is made of other methods.
  class Buffer
    class << self
      def for(string)
        return __text(string, false) unless block_given?
        buffer = __text(string, true)
        begin
          yield buffer
        ensure
          buffer.__send__(:__end)
        end
      end

      def string(length)
        raise RangeError, "bignum too big to convert into 'long'" if Primitive.kind_of(length, Integer) && length.bit_length > 63
        raise ArgumentError, "negative string size (or size too big)" if length < 0
        raise LocalJumpError, "no block given" unless block_given?
        text = "\0".b * length
        self.for(text) { |buffer| yield buffer }
        text
      end
    end

    def empty? = size.zero?

    def external? = !null? && (__flags & EXTERNAL != 0 || __flags & (INTERNAL | MAPPED) == 0)

    def internal? = __flags & INTERNAL != 0

    def mapped? = __flags & MAPPED != 0

    def shared? = __flags & SHARED != 0

    def private? = __flags & PRIVATE != 0

    def readonly? = __flags & READONLY != 0

    def locked? = __flags & LOCKED != 0

    def locked
      __lock
      begin
        yield
      ensure
        __unlock
      end
    end

    def each(type, offset = 0, count = nil)
      return to_enum(:each, type, offset, count) unless block_given?
      width = Buffer.size_of(type)
      count ||= (size - offset) / width
      count.times do
        yield offset, get_value(type, offset)
        offset += width
      end
      self
    end

    def each_byte(offset = 0, count = nil)
      return to_enum(:each_byte, offset, count) unless block_given?
      count ||= size - offset
      count.times { |i| yield get_value(:U8, offset + i) }
      self
    end

    def values(type, offset = 0, count = nil)
      all = []
      each(type, offset, count) { |_, value| all << value }
      all
    end

    def &(other) = __mask(0, other, false)

    def |(other) = __mask(1, other, false)

    def ^(other) = __mask(2, other, false)

    def ~ = __mask(3, nil, false)

    def and!(other) = __mask(0, other, true)

    def or!(other) = __mask(1, other, true)

    def xor!(other) = __mask(2, other, true)

    def not! = __mask(3, nil, true)

    def hexdump(offset = 0, length = nil, width = 16) = __hexdump(offset, length, width)

    def inspect
      return to_s if null? || !valid?
      text = "#{to_s}\n#{__hexdump(0, [size, 256].min, 16)}"
      size > 256 ? "#{text}\n(and #{size - 256} more bytes not printed)" : text
    end

    private

    def __end
      __give_back
      free
    rescue LockedError
      __unlock
      free
    end
  end
end
