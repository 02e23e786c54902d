# BigMath: the functions of Math with as many digits as are asked for.

require "bigdecimal"

module BigMath
  class << self
    # The number and the digits that are asked for, of a function that has no value for NaN; yields where no limit of digits counts.
    def __function(name, x, precision)
      digits = __digits(precision, name)
      x = __number(x, digits)
      return BigDecimal.__nan if x.nan?
      __apart { yield x, digits }.then { |value| value.is_a?(BigDecimal) ? value : BigDecimal(value) }
    end

    # How many digits to work with where a small x is added to 1 and that is taken away again.
    def __beside_one(x, digits) = digits + 10 + [-2 * x.exponent, 0].max

    def __pi(scale)
      more = GUARD
      one = 10**(scale + more)
      (16 * __tangent(one / 5, one) - 4 * __tangent(one / 239, one)) / 10**more
    end

    # The arc tangent's series.
    def __tangent(x, one)
      square = x * x / one
      sum, power, n, sign = x, x, 1, 1
      until (term = (power = power * square / one) / (n += 2)) == 0
        sum += (sign = -sign) * term
      end
      sum
    end

    # The arc tangent of y / x, neither of them negative, Integers of that scale.
    def __angle(y, x, scale)
      return __pi(scale) / 2 - __angle(x, y, scale) if y > x
      return 0 if y == 0
      halvings = Integer.sqrt(scale) / 2 + 2
      scale += more = halvings / 3 + 6
      one = 10**scale
      ratio = y * one / x
      halvings.times { ratio = ratio * one / (one + Integer.sqrt(one * one + ratio * ratio)) }
      (__tangent(ratio, one) << halvings) / 10**more
    end

    # The arc tangent of y / x in all quadrants.
    def __direction(y, x, scale)
      angle = __angle(__scaled(y.abs, scale), __scaled(x.abs, scale), scale)
      angle = __pi(scale) - angle if x.negative?
      y.negative? ? -angle : angle
    end

    # The scale at which a number has none of its digits cut.
    def __whole(x) = [-x.__power, 0].max

    # Sine and cosine, as Integers of that scale.
    def __circle(x, scale)
      wide = scale + [x.exponent, 0].max + 6
      quarter = __pi(wide) / 2
      turns, rest = __scaled(x, wide).divmod(quarter)
      sine, cosine = __circle_series(rest / 10**(wide - scale), scale)
      case turns % 4
      when 0 then [sine, cosine]
      when 1 then [cosine, -sine]
      when 2 then [-sine, -cosine]
      else [-cosine, sine]
      end
    end

    # Of an angle in the first quadrant: of a part of it, doubled again and again. One less the cosine keeps its digits.
    def __circle_series(x, scale)
      halvings = Integer.sqrt(scale) / 2 + 2
      scale += more = halvings * 2 / 3 + 8
      one = 10**scale
      part = x * 10**more >> halvings
      sine, rest, term, n = 0, 0, one, 0
      until (term = term * part / (one * (n += 1))) == 0
        added = n % 4 == 1 || n % 4 == 2 ? term : -term
        n.odd? ? sine += added : rest += added
      end
      halvings.times { sine, rest = 2 * sine * (one - rest) / one, 2 * sine * sine / one }
      [sine / 10**more, (one - rest) / 10**more]
    end
  end

  # Of BigMath itself both are there before this file is.
  def exp(x, precision) = BigMath.exp(x, precision)
  def log(x, precision) = BigMath.log(x, precision)
  private :exp, :log

  module_function

  def PI(precision)
    digits = BigMath.__digits(precision, :PI)
    BigMath.__apart { BigMath.__enough(digits) { |scale| BigMath.__pi(scale) }.__to_digits(digits) }
  end

  def E(precision) = BigMath.exp(1, BigMath.__digits(precision, :E))

  def sqrt(x, precision)
    digits = BigMath.__digits(precision, :sqrt)
    BigMath.__number(x, digits).sqrt(digits)
  end

  def cbrt(x, precision)
    BigMath.__function(:cbrt, x, precision) do |x, digits|
      next BigDecimal.__infinite(x.__sign) if x.infinite?
      next x if x.zero?
      shift = [3 * (digits + 2) - x.__count, 0].max
      shift += 1 until (x.__power - shift) % 3 == 0
      number = x.__digits * 10**shift
      root = BigMath.__cube_root(number)
      BigDecimal.__finite(x.__sign, root * 10 + (root**3 == number ? 0 : 1), (x.__power - shift) / 3 - 1).__to_digits(digits)
    end
  end

  def hypot(x, y, precision)
    BigMath.__function(:hypot, x, precision) do |x, digits|
      y = BigMath.__number(y, digits)
      next BigDecimal.__nan if y.nan?
      next BigDecimal.__infinite(1) if x.infinite? || y.infinite?
      (x * x + y * y).sqrt(digits)
    end
  end

  def sin(x, precision)
    BigMath.__function(:sin, x, precision) do |x, digits|
      next BigDecimal.__nan if x.infinite?
      next x if x.zero?
      BigMath.__enough(digits) { |scale| BigMath.__circle(x, scale)[0] }.__to_digits(digits)
    end
  end

  def cos(x, precision)
    BigMath.__function(:cos, x, precision) do |x, digits|
      next BigDecimal.__nan if x.infinite?
      BigMath.__enough(digits) { |scale| BigMath.__circle(x, scale)[1] }.__to_digits(digits)
    end
  end

  def tan(x, precision)
    BigMath.__function(:tan, x, precision) { |x, digits| sin(x, digits + 10).div(cos(x, digits + 10), digits) }
  end

  def atan(x, precision)
    BigMath.__function(:atan, x, precision) { |x, digits| BigMath.__arc(x, BigDecimal(1), digits) }
  end

  def atan2(y, x, precision)
    BigMath.__function(:atan2, y, precision) do |y, digits|
      x = BigMath.__number(x, digits)
      next BigDecimal.__nan if x.nan?
      BigMath.__arc(y, x, digits)
    end
  end

  def asin(x, precision)
    BigMath.__function(:asin, x, precision) do |x, digits|
      raise Math::DomainError, "Out of domain argument for asin" if x.abs > 1
      next x if x.zero?
      BigMath.__enough(digits) { |scale| BigMath.__of_circle(x, scale) { |sine, cosine, wide| BigMath.__angle(sine, cosine, wide) } * x.__sign }
        .__to_digits(digits)
    end
  end

  def acos(x, precision)
    BigMath.__function(:acos, x, precision) do |x, digits|
      raise Math::DomainError, "Out of domain argument for acos" if x.abs > 1
      next BigDecimal(0) if x == 1
      BigMath.__enough(digits) do |scale|
        BigMath.__of_circle(x, scale) do |sine, cosine, wide|
          angle = BigMath.__angle(cosine, sine, wide)
          x.negative? ? BigMath.__pi(wide) - angle : angle
        end
      end.__to_digits(digits)
    end
  end

  def sinh(x, precision)
    BigMath.__function(:sinh, x, precision) do |x, digits|
      next BigDecimal.__infinite(x.__sign) if x.infinite?
      next x if x.zero?
      wide = BigMath.__beside_one(x, digits)
      grown = BigMath.exp(x, wide)
      (grown - BigDecimal(1).div(grown, wide)).div(2, digits)
    end
  end

  def cosh(x, precision)
    BigMath.__function(:cosh, x, precision) do |x, digits|
      next BigDecimal.__infinite(1) if x.infinite?
      grown = BigMath.exp(x, digits + 10)
      (grown + BigDecimal(1).div(grown, digits + 10)).div(2, digits)
    end
  end

  def tanh(x, precision)
    BigMath.__function(:tanh, x, precision) do |x, digits|
      next BigDecimal(x.__sign) if x.infinite? || x.exponent > 20
      next x if x.zero?
      wide = BigMath.__beside_one(x, digits)
      grown = BigMath.exp(x, wide)
      shrunk = BigDecimal(1).div(grown, wide)
      (grown - shrunk).div(grown + shrunk, digits)
    end
  end

  def asinh(x, precision)
    BigMath.__function(:asinh, x, precision) do |x, digits|
      next BigDecimal.__infinite(x.__sign) if x.infinite?
      next x if x.zero?
      wide = BigMath.__beside_one(x, digits)
      value = BigMath.log(x.abs + (x * x + 1).sqrt(wide), digits)
      x.negative? ? -value : value
    end
  end

  def acosh(x, precision)
    BigMath.__function(:acosh, x, precision) do |x, digits|
      raise Math::DomainError, "Out of domain argument for acosh" if x < 1
      next BigDecimal.__infinite(1) if x.infinite?
      wide = digits + 10 + [-(x - 1).exponent, 0].max
      BigMath.log(x + (x * x - 1).sqrt(wide), digits)
    end
  end

  def atanh(x, precision)
    BigMath.__function(:atanh, x, precision) do |x, digits|
      raise Math::DomainError, "Out of domain argument for atanh" if x.abs > 1
      next x if x.zero?
      next BigDecimal.__infinite(x.__sign) if x.abs == 1
      wide = BigMath.__beside_one(x, digits)
      BigMath.log((1 + x).div(1 - x, wide), digits + 10).div(2, digits)
    end
  end

  def log2(x, precision) = BigMath.__log_to(2, :log2, x, precision)
  def log10(x, precision) = BigMath.__log_to(10, :log10, x, precision)

  def log1p(x, precision)
    BigMath.__function(:log1p, x, precision) do |x, digits|
      raise Math::DomainError, "Out of domain argument for log1p" if x < -1
      BigMath.log(x + 1, digits)
    end
  end

  def expm1(x, precision)
    BigMath.__function(:expm1, x, precision) do |x, digits|
      next x.infinite? > 0 ? BigDecimal.__infinite(1) : BigDecimal(-1) if x.infinite?
      next x if x.zero?
      # What is as good as nothing beside 1.
      next BigDecimal(-1) if x < -3 * (digits + 10)
      next BigMath.exp(x, digits) if x > 3 * (digits + 10)
      (BigMath.exp(x, digits + 10 + [-x.exponent, 0].max) - 1).__to_digits(digits)
    end
  end

  # Of a number, its digits behind the point and how often ten is in it.
  def frexp(x)
    x = BigMath.__number(x, 0)
    return [x, 0] unless x.finite? && !x.zero?
    [x._decimal_shift(-x.exponent), x.exponent]
  end

  def ldexp(x, exponent)
    x = BigMath.__number(x, 0)
    x.finite? ? x._decimal_shift(Integer(exponent)) : x
  end

  class << self
    # The whole cube root.
    def __cube_root(number)
      root = 1 << (number.bit_length + 2) / 3
      while (better = (2 * root + number / (root * root)) / 3) < root
        root = better
      end
      root
    end

    # Where a number is the cosine or the sine of an angle: it and the other one, both not negative. The block's value has the
    # scale that it is given.
    def __of_circle(x, scale)
      # What is cut of the number would tell in the root near 1.
      wide = scale + 2 * __whole(x) + 4
      mine = __scaled(x.abs, wide)
      other = Integer.sqrt(10**(2 * wide) - mine * mine)
      yield(mine, other, wide) / 10**(wide - scale)
    end

    def __arc(y, x, digits)
      return __enough_of_turn(digits, x.negative? && !y.infinite?, y, x) if y.infinite? || x.infinite?
      return x.__sign < 0 ? __turns(digits, 1, y.__sign) : y if y.zero?
      return __turns(digits, Rational(1, 2), y.__sign) if x.zero?
      # Both as numbers that are not much smaller than 1: only what is between them counts.
      shift = -[x.exponent, y.exponent].max
      y, x = y._decimal_shift(shift), x._decimal_shift(shift)
      __enough(digits) do |scale|
        wide = scale + [-x.exponent, 0].max + 4
        __direction(y, x, wide) / 10**(wide - scale)
      end.__to_digits(digits)
    end

    # Where one of both is infinite.
    def __enough_of_turn(digits, _left, y, x)
      return __turns(digits, x.negative? ? Rational(3, 4) : Rational(1, 4), y.__sign) if y.infinite? && x.infinite?
      return __turns(digits, Rational(1, 2), y.__sign) if y.infinite?
      x.negative? ? __turns(digits, 1, y.__sign) : BigDecimal.__finite(y.__sign, 0, 0)
    end

    # A part of half a turn.
    def __turns(digits, part, sign)
      __enough(digits) { |scale| sign * (__pi(scale) * part.numerator / part.denominator) }.__to_digits(digits)
    end

    def __log_to(base, name, x, precision)
      __function(name, x, precision) do |x, digits|
        raise Math::DomainError, "Zero or negative argument for #{name}" if x.negative?
        next log(x, digits) if x.infinite? || x.zero?
        wide = digits + GUARD
        log(x, wide).div(log(base, wide), digits + 5).__to_digits(digits)
      end
    end
  end
end
