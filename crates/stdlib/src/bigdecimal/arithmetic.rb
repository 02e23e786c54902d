# BigDecimal: arithmetic, and text.

class BigDecimal
  # ---- arithmetic -------------------------------------------------------------------------------

  def +@ = self

  def -@
    case @__kind
    when :nan then self
    when :infinite then @__sign < 0 ? INFINITY : NEGATIVE_INFINITY
    else BigDecimal.__finite(-@__sign, @__digits, @__power)
    end
  end

  def abs = @__sign < 0 ? -self : self

  def __coerced(operator, other)
    return other.coerce(self).then { |a, b| a.__send__(operator, b) } if other.respond_to?(:coerce)
    shown = other.nil? || true == other || false == other ? other.inspect : other.class
    raise TypeError, "#{shown} can't be coerced into BigDecimal"
  end

  def +(other)
    number = __other(other) or return __coerced(:+, other)
    return BigDecimal.__nan if nan? || number.nan?
    unless finite? && number.finite?
      return BigDecimal.__nan if infinite? && number.infinite? && @__sign != number.__sign
      return BigDecimal.__still_infinite(finite? ? number.__sign : @__sign)
    end
    if zero? && number.zero?
      return BigDecimal.__finite(@__sign == number.__sign ? @__sign : BigDecimal.mode(ROUND_MODE) == ROUND_FLOOR ? -1 : 1, 0, 0)
    end
    a, b, power = __aligned(number)
    sum = a + b
    negative = sum < 0 || sum == 0 && BigDecimal.mode(ROUND_MODE) == ROUND_FLOOR
    BigDecimal.__finite(negative ? -1 : 1, sum.abs, power).__limited
  end

  def -(other)
    number = __other(other) or return __coerced(:-, other)
    self + -number
  end

  def *(other)
    number = __other(other) or return __coerced(:*, other)
    return BigDecimal.__nan if nan? || number.nan?
    sign = @__sign * number.__sign
    unless finite? && number.finite?
      return zero? || number.zero? ? BigDecimal.__nan : BigDecimal.__still_infinite(sign)
    end
    BigDecimal.__finite(sign, @__digits * number.__digits, @__power + number.__power).__limited
  end

  # The quotient with so many digits, rounded.
  def __quotient(number, digits, mode = BigDecimal.mode(ROUND_MODE))
    return BigDecimal.__nan if nan? || number.nan?
    sign = @__sign * number.__sign
    unless finite? && number.finite?
      return BigDecimal.__nan if infinite? && number.infinite?
      return infinite? ? BigDecimal.__still_infinite(sign) : BigDecimal.__finite(sign, 0, 0)
    end
    if number.zero?
      return zero? ? BigDecimal.__nan : BigDecimal.__by_zero(sign)
    end
    return BigDecimal.__finite(sign, 0, 0) if zero?
    shift = [digits + 2 - __count + number.__count, 0].max
    whole, rest = (@__digits * 10**shift).divmod(number.__digits)
    # One digit more says that something is left: it decides only where all digits behind are zeros.
    BigDecimal.__finite(sign, whole * 10 + (rest == 0 ? 0 : 1), @__power - number.__power - shift - 1).__to_digits(digits, mode)
  end

  def /(other)
    number = __other(other) or return __coerced(:/, other)
    __quotient(number, __digits_of_result(number))
  end

  # How many digits a result of both has that could have more, where nobody says how many.
  def __digits_of_result(number)
    digits = [[precision, number.precision].max + MORE_DIGITS, DIVISION_DIGITS].max
    limit = BigDecimal.limit
    limit > 0 && limit < digits ? limit : digits
  end

  def quo(other, digits = 0)
    digits = Integer(digits)
    raise ArgumentError, "negative precision" if digits < 0
    digits > 0 ? div(other, digits) : self / other
  end

  def div(other, digits = nil)
    if digits.nil?
      number = __other(other) or return __coerced(:div, other)
      raise FloatDomainError, "Computation results in 'NaN' (Not a Number)" if nan? || number.nan?
      if infinite?
        raise FloatDomainError, number.infinite? ? "Computation results in 'NaN' (Not a Number)" : "Computation results in '#{"-" if @__sign * number.__sign < 0}Infinity'"
      end
      return 0 if number.infinite?
      raise ZeroDivisionError, "divided by 0" if number.zero?
      a, b, = __aligned(number)
      return a.div(b)
    end
    digits = Integer(digits)
    raise ArgumentError, "negative precision" if digits < 0
    return self / other if digits == 0
    number = __other(other, digits + DIVISION_DIGITS) or return __coerced(:div, other)
    __quotient(number, digits)
  end

  def __divmod(other, operator)
    number = __other(other) or return __coerced(operator, other)
    return [BigDecimal.__nan, BigDecimal.__nan] if nan? || number.nan? || infinite?
    raise ZeroDivisionError, "divided by 0" if number.zero?
    return [BigDecimal(0), self] if zero?
    if number.infinite?
      return [BigDecimal(0), self] if @__sign == number.__sign
      return [BigDecimal(-1), number]
    end
    a, b, power = __aligned(number)
    quotient, rest = a.divmod(b)
    sign = rest < 0 ? -1 : 1
    [BigDecimal(quotient), BigDecimal.__finite(sign, rest.abs, power)]
  end

  def divmod(other)
    number = __other(other) or return __coerced(:divmod, other)
    raise FloatDomainError, "Computation results in 'NaN' (Not a Number)" if nan? || number.nan?
    raise ZeroDivisionError, "divided by 0" if number.zero?
    if infinite?
      raise FloatDomainError, "Computation results in '#{"-" if @__sign * number.__sign < 0}Infinity'"
    end
    quotient, rest = __divmod(number, :divmod)
    [quotient.to_i, rest]
  end

  def %(other)
    return __coerced(:%, other) unless __other(other)
    __divmod(other, :%)[1]
  end
  alias modulo %

  def remainder(other)
    number = __other(other) or return __coerced(:remainder, other)
    return BigDecimal.__nan if nan? || number.nan? || infinite?
    return self if number.infinite?
    raise ZeroDivisionError, "divided by 0" if number.zero?
    return self if zero?
    a, b, power = __aligned(number)
    BigDecimal.__finite(@__sign, a.remainder(b).abs, power)
  end

  def add(other, digits) = __rounded(:+, other, digits)
  def sub(other, digits) = __rounded(:-, other, digits)
  def mult(other, digits) = __rounded(:*, other, digits)

  # What is asked for counts, and not the limit.
  def __rounded(operator, other, digits)
    digits = __digits_asked(digits)
    return __send__(operator, other) if digits == 0
    other = __other(other, digits + DIVISION_DIGITS) if other.is_a?(Rational)
    return __send__(operator, other).__to_digits(digits) if BigDecimal.limit == 0
    BigDecimal.save_limit do
      BigDecimal.limit(0)
      __send__(operator, other).__to_digits(digits)
    end
  end

  def __digits_asked(digits)
    unless digits.respond_to?(:to_int)
      raise TypeError, "no implicit conversion of #{digits.nil? ? "nil" : digits.class} into Integer"
    end
    whole = digits.to_int
    raise TypeError, "can't convert #{digits.class} to Integer" unless whole.is_a?(Integer)
    raise ArgumentError, "negative precision" if whole < 0
    whole
  end

  def sqrt(digits)
    digits = __digits_asked(digits)
    raise FloatDomainError, "sqrt of 'NaN'(Not a Number)" if nan?
    raise FloatDomainError, "sqrt of negative value" if @__sign < 0 && !zero?
    return BigDecimal.__infinite(1) if infinite?
    return self if zero?
    digits = __digits_of_result(self) if digits == 0
    shift = [2 * (digits + 2) - __count, 0].max
    shift += 1 if (@__power - shift).odd?
    root = Integer.sqrt(number = @__digits * 10**shift)
    BigDecimal.__finite(1, root * 10 + (root * root == number ? 0 : 1), (@__power - shift) / 2 - 1).__to_digits(digits)
  end

  # An exponent of so many bits is one that a number is multiplied by itself for.
  FEW_BITS = 64
  private_constant :FEW_BITS

  def power(exponent, digits = 0)
    digits = __digits_asked(digits)
    unless exponent.is_a?(Numeric) && exponent.real?
      raise TypeError, "wrong argument type #{exponent.class} (expected scalar Numeric)"
    end
    return BigDecimal.__nan if nan? || exponent.respond_to?(:nan?) && exponent.nan?
    return __power_of_infinity(exponent.infinite? > 0) if exponent.infinite?
    whole = exponent.to_i if exponent.is_a?(Integer) || exponent == exponent.to_i
    return __power_of_integer(whole, digits) if whole
    if zero? || infinite?
      return exponent.positive? == zero? ? BigDecimal(0) : BigDecimal.__infinite(1)
    end
    raise Math::DomainError, "a non-integral exponent for a negative base" if @__sign < 0
    digits = __digits_of_result(__other(exponent)) if digits == 0
    __power_by_logarithm(__other(exponent, digits + DIVISION_DIGITS), digits)
  end

  def __power_of_infinity(positive)
    size = abs
    return BigDecimal(1) if size == 1 && @__sign > 0
    return BigDecimal(0) if size != 1 && (size > 1) != positive
    raise Math::DomainError, "the powers of a negative base do not converge" if @__sign < 0 && !zero?
    BigDecimal.__infinite(1)
  end

  def __power_of_integer(exponent, digits)
    sign = exponent.odd? ? @__sign : 1
    return BigDecimal(1) if exponent == 0
    if infinite? || zero?
      return (exponent > 0) == infinite?.nil? ? BigDecimal.__finite(sign, 0, 0) : BigDecimal.__infinite(sign)
    end
    return BigDecimal.__finite(sign, 1, @__power * exponent) if @__digits == 1
    # Where the result is beyond all bounds, and nobody calculates it.
    top = (self.exponent - 1) * exponent
    return BigDecimal.__beyond(sign, self.exponent > 0 == exponent > 0) if exponent.bit_length > FEW_BITS && (abs >= 2 || abs <= BigDecimal("0.5"))
    return BigDecimal.__beyond(sign, top > 0) unless top.bit_length <= FEW_BITS
    limit = BigDecimal.limit
    digits = limit if digits == 0 && limit > 0 && exponent > 0
    return __power_in_digits(exponent, digits) if digits > 0
    return BigDecimal.__finite(sign, @__digits**exponent, @__power * exponent) if exponent > 0
    BigDecimal(1) / BigDecimal.__finite(sign, @__digits**-exponent, @__power * -exponent)
  end

  # With so many digits.
  def __power_in_digits(exponent, digits)
    sign = exponent.odd? ? @__sign : 1
    if exponent.bit_length > FEW_BITS
      made = abs.__power_by_logarithm(BigDecimal(exponent), digits)
      return sign < 0 ? -made : made
    end
    wide = digits + exponent.bit_length + 4
    result, square, left = [1, 0], [@__digits, @__power], exponent.abs
    until left == 0
      result = __product(result, square, wide) if left.odd?
      left >>= 1
      square = __product(square, square, wide) if left > 0
    end
    made = BigDecimal.__finite(sign, *result)
    exponent > 0 ? made.__to_digits(digits) : BigDecimal(1).__quotient(made, digits)
  end

  # Of coefficients and their powers of ten: cut to so many digits and a little more.
  def __product(a, b, digits)
    product, power = a[0] * b[0], a[1] + b[1]
    # By its bits it has at least so many digits too many.
    extra = product.bit_length * 30102 / 100_000 - digits
    extra > 0 ? [product / 10**extra, power + extra] : [product, power]
  end

  # For a positive base.
  def __power_by_logarithm(exponent, digits)
    near = __near_one
    # Of the logarithm times the exponent.
    top = exponent.exponent + (near < 0 ? near + 1 : self.exponent.abs.to_s.size + 1)
    return BigDecimal.__beyond(1, (self > 1) == exponent.positive?) if top > 21
    wide = digits + 20 + [top, 0].max
    BigDecimal.save_limit do
      BigDecimal.limit(0)
      BigMath.exp(BigMath.__log(self, wide).mult(exponent, wide), digits)
    end
  end

  def **(exponent)
    exponent.is_a?(Numeric) ? power(exponent) : __coerced(:**, exponent)
  end

  # ---- text -------------------------------------------------------------------------------------

  def to_s(format = nil) = __text(format).force_encoding(Encoding::US_ASCII)

  def __text(format)
    return +"NaN" if nan?
    plus, group, plain = "", 0, false
    case format
    when Integer then group = format
    when String
      plus = format[0] if format.start_with?("+", " ")
      group = format[/\d+/].to_i
      plain = format.match?(/f\z/i)
    end
    sign = @__sign < 0 ? "-" : plus
    return "#{sign}Infinity" unless finite?
    return "#{sign}0.0" if zero?
    plain ? sign + __plain(group) : sign + __scientific(group)
  end

  def __scientific(group)
    digits = @__digits.to_s
    digits = digits.scan(/.{1,#{group}}/).join(" ") if group > 0
    "0.#{digits}e#{exponent}"
  end

  def __plain(group)
    digits = @__digits.to_s
    top = exponent
    whole, part =
      if top <= 0
        ["0", "0" * -top + digits]
      elsif top >= digits.size
        [digits + "0" * (top - digits.size), "0"]
      else
        [digits[0, top], digits[top..]]
      end
    if group > 0
      whole = whole.reverse.scan(/.{1,#{group}}/).join(" ").reverse
      part = part.scan(/.{1,#{group}}/).join(" ")
    end
    "#{whole}.#{part}"
  end

  def inspect = __text(nil).force_encoding(Encoding::US_ASCII)

  def split
    return [0, "NaN", 10, 0] if nan?
    return [@__sign, "Infinity", 10, 0] if infinite?
    [@__sign, @__digits.to_s, 10, exponent]
  end

  def _dump(_level = 0)
    figures = (__count + 8) / 9 * 9
    "#{figures}:#{to_s}"
  end
end
