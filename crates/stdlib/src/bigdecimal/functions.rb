# BigMath: exponentials and logarithms. Calculated with Integers, which stand for as many 10**-scale; results are off by a few of those.

module BigMath
  # Digits that are calculated beyond those that are asked for.
  GUARD = 20
  private_constant :GUARD

  class << self
    def exp(x, precision)
      digits = __digits(precision, :exp)
      x = __number(x, digits)
      return BigDecimal.__nan if x.nan?
      return x.infinite? > 0 ? BigDecimal.__infinite(1) : BigDecimal(0) if x.infinite?
      return BigDecimal(1) if x.zero?
      __apart { __exp(x, digits + GUARD).__to_digits(digits) }
    end

    def log(x, precision)
      digits = __digits(precision, :log)
      raise Math::DomainError, "Complex argument for BigMath.log" if x.is_a?(Complex)
      x = __number(x, digits)
      return BigDecimal.__nan if x.nan?
      raise Math::DomainError, "Zero or negative argument for log" if x.negative?
      return BigDecimal.__infinite(1) if x.infinite?
      return BigDecimal.__infinite(-1) if x.zero?
      return BigDecimal(0) if x == 1
      __apart { __log(x, digits + GUARD).__to_digits(digits) }
    end

    # How many digits are asked for.
    def __digits(precision, name)
      unless precision.respond_to?(:to_int)
        raise TypeError, "no implicit conversion of #{precision.nil? ? "nil" : precision.class} into Integer"
      end
      digits = precision.to_int
      raise TypeError, "can't convert #{precision.class} to Integer" unless digits.is_a?(Integer)
      raise ArgumentError, "Zero or negative precision for #{name}" if digits <= 0
      digits
    end

    # The argument as a BigDecimal.
    def __number(x, digits)
      case x
      when BigDecimal then x
      when Integer, Float then BigDecimal(x, 0)
      when Rational then BigDecimal(x, digits + GUARD * 2)
      else
        shown = x.nil? || true == x || false == x || x.is_a?(Symbol) || x.is_a?(Complex) ? x.inspect : x.class
        raise ArgumentError, "#{shown} can't be coerced into BigDecimal"
      end
    end

    # Calculates where no limit of digits counts, and rounds half up.
    def __apart
      BigDecimal.save_limit do
        BigDecimal.limit(0)
        BigDecimal.save_rounding_mode do
          BigDecimal.mode(BigDecimal::ROUND_MODE, BigDecimal::ROUND_HALF_UP)
          yield
        end
      end
    end

    # A number as an Integer of that scale, cut.
    def __scaled(x, scale)
      shift = x.__power + scale
      digits = shift >= 0 ? x.__digits * 10**shift : x.__digits / 10**-shift
      x.__sign < 0 ? -digits : digits
    end

    # What an Integer of that scale stands for.
    def __unscaled(value, scale) = BigDecimal.__finite(value < 0 ? -1 : 1, value.abs, -scale)

    # As many digits as are asked for of what the block calculates for a scale.
    def __enough(digits)
      scale = digits
      loop do
        value = yield(scale)
        missing = digits + 4 - (value == 0 ? 0 : value.abs.to_s.size)
        return __unscaled(value, scale) if missing <= 0
        scale += value == 0 ? scale + GUARD : missing
      end
    end

    def __exp(x, digits)
      return BigDecimal.__beyond(1, x.positive?) if x.exponent > 20
      scale = digits + 4
      # e**x = 10**shift * e**rest
      wide = scale + [x.exponent, 0].max + 4
      ten = __log_of_ten(wide)
      shift, rest = __scaled(x, wide).divmod(ten)
      __unscaled(__exp_of(rest / 10**(wide - scale), scale), scale)._decimal_shift(shift)
    end

    # Of an Integer of that scale, not negative and not large.
    def __exp_of(x, scale)
      halvings = Integer.sqrt(scale) + 4
      scale += more = halvings / 3 + 4
      one = 10**scale
      x = x * 10**more >> halvings
      sum, term, n = one, one, 0
      while (term = term * x / (one * (n += 1))) > 0
        sum += term
      end
      halvings.times { sum = sum * sum / one }
      sum / 10**more
    end

    def __log(x, digits)
      return __enough(digits) { |scale| __log_near_one(x, scale) } if x.__near_one < 0
      power = x.exponent
      power -= 1 if x._decimal_shift(-power) < BigDecimal("0.3")
      scale = digits + 4
      part = x._decimal_shift(-power)
      return __enough(digits) { |wide| __log_near_one(x, wide) } if power == 0
      wide = scale + power.abs.to_s.size
      __unscaled(__log_near_one(part, wide) + power * __log_of_ten(wide), wide)
    end

    # Of a number between 0.3 and 3.
    def __log_near_one(x, scale)
      roots = Integer.sqrt(scale) / 2 + 2
      scale += more = roots / 3 + 6
      one = 10**scale
      value = __scaled(x, scale)
      if (value - one).abs * 1000 > one
        roots.times { value = Integer.sqrt(value * one) }
      else
        roots = 0
      end
      sum = __area_tangent((value - one) * one / (value + one), one)
      (sum << (roots + 1)) / 10**more
    end

    # The inverse hyperbolic tangent.
    def __area_tangent(x, one)
      square = x * x / one
      sum, power, n = x, x, 1
      until (term = (power = power * square / one) / (n += 2)) == 0 || term == -1
        sum += term
      end
      sum
    end

    def __log_of_ten(scale)
      more = GUARD
      one = 10**(scale + more)
      (46 * __area_tangent(one / 31, one) + 34 * __area_tangent(one / 49, one) + 20 * __area_tangent(one / 161, one)) / 10**more
    end
  end
end
