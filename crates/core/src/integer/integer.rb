# frozen_string_literal: true

# Integer methods that call a block or work digit by digit.
class Integer
  def times
    return to_enum(:times) { self < 0 ? 0 : self } unless block_given?
    limit = self
    i = 0
    while i < limit
      yield i
      i += 1
    end
    self
  end

  def upto(limit)
    unless block_given?
      return to_enum(:upto, limit) do
        unless Primitive.kind_of(limit, Numeric)
          raise ArgumentError, "comparison of Integer with #{Asterism::Internal.cmp_name(limit)} failed"
        end
        n = limit - self
        n = n.floor + 1 unless Primitive.kind_of(n, Float) && n.infinite?
        n < 0 ? 0 : n
      end
    end
    # The block above sees `limit`: a local of the loop's own is read faster.
    last = limit
    i = self
    if Primitive.kind_of(last, Integer)
      while i <= last
        yield i
        i += 1
      end
    else
      Asterism::Internal.cmp_fail(self, limit) unless Primitive.kind_of(limit, Numeric)
      until i > last
        yield i
        i += 1
      end
    end
    self
  end

  def downto(limit)
    unless block_given?
      return to_enum(:downto, limit) do
        unless Primitive.kind_of(limit, Numeric)
          raise ArgumentError, "comparison of Integer with #{Asterism::Internal.cmp_name(limit)} failed"
        end
        n = self - limit
        n = n.floor + 1 unless Primitive.kind_of(n, Float) && n.infinite?
        n < 0 ? 0 : n
      end
    end
    # The block above sees `limit`: a local of the loop's own is read faster.
    last = limit
    i = self
    if Primitive.kind_of(last, Integer)
      while i >= last
        yield i
        i -= 1
      end
    else
      Asterism::Internal.cmp_fail(self, limit) unless Primitive.kind_of(limit, Numeric)
      until i < last
        yield i
        i -= 1
      end
    end
    self
  end

  def digits(base = 10)
    raise Math::DomainError, "out of domain" if self < 0
    base = Primitive.to_integer(base)
    raise ArgumentError, "negative radix" if base < 0
    raise ArgumentError, "invalid radix #{base}" if base < 2
    return [0] if self == 0
    out = []
    # Numbers of many digits are split in halves first: dividing off one digit at a time is
    # quadratic in their length.
    if bit_length > 4096 && base.bit_length * 2 < bit_length
      power = base
      count = 1
      while power.bit_length * 2 < bit_length
        power *= power
        count *= 2
      end
      high, low = divmod(power)
      out = low.digits(base)
      while Primitive.array_size(out) < count
        Primitive.array_push(out, 0)
      end
      out.concat(high.digits(base)) if high > 0
      return out
    end
    n = self
    while n > 0
      Primitive.array_push(out, n % base)
      n /= base
    end
    out
  end

  def ceildiv(other)
    -div(0 - other)
  end
end

class Enumerator
  # What walking Integer#times from outside looks for: see begin_walk.
  TIMES = Integer.instance_method(:times)
  private_constant :TIMES
end
