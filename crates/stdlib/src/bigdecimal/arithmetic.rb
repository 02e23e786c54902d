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
      return BigDecimal.__infinite(finite? ? number.__sign : @__sign)
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
      return zero? || number.zero? ? BigDecimal.__nan : BigDecimal.__infinite(sign)
    end
    BigDecimal.__finite(sign, @__digits * number.__digits, @__power + number.__power).__limited
  end

  # The quotient with so many digits, rounded.
  def __quotient(number, digits, mode = BigDecimal.mode(ROUND_MODE))
    return BigDecimal.__nan if nan? || number.nan?
    sign = @__sign * number.__sign
    unless finite? && number.finite?
      return BigDecimal.__nan if infinite? && number.infinite?
      return infinite? ? BigDecimal.__infinite(sign) : BigDecimal.__finite(sign, 0, 0)
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
    limit = BigDecimal.limit
    __quotient(number, limit > 0 ? limit : [__count, number.__count, DIVISION_DIGITS].max)
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
    number = __other(other, digits) or return __coerced(:div, other)
    __quotient(number, digits)
  end

  def __divmod(other, operator)
    number = __other(other) or return __coerced(operator, other)
    return [BigDecimal.__nan, BigDecimal.__nan] if nan? || number.nan? || infinite?
    raise ZeroDivisionError, "divided by 0" if number.zero?
    if number.infinite?
      return [BigDecimal(0), self] if zero? || @__sign == number.__sign
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
    digits = digits.to_int
    raise ArgumentError, "negative precision" if digits < 0
    digits
  end

  def sqrt(digits)
    digits = __digits_asked(digits)
    raise FloatDomainError, "sqrt of 'NaN'(Not a Number)" if nan?
    raise FloatDomainError, "sqrt of negative value" if @__sign < 0 && !zero?
    return self if zero? || infinite?
    digits = [digits, __count, DIVISION_DIGITS].max if digits == 0
    shift = [2 * (digits + 2) - __count, 0].max
    shift += 1 if (@__power - shift).odd?
    root = Integer.sqrt(number = @__digits * 10**shift)
    BigDecimal.__finite(1, root * 10 + (root * root == number ? 0 : 1), (@__power - shift) / 2 - 1).__to_digits(digits)
  end

  def power(exponent, digits = nil)
    unless digits.nil?
      raise TypeError, "wrong argument type #{digits.class} (expected Integer)" unless digits.is_a?(Integer)
      raise ArgumentError, "Zero or negative precision for exponential" if digits < 0
    end
    unless exponent.is_a?(Numeric)
      raise TypeError, "wrong argument type #{exponent.class} (expected scalar Numeric)"
    end
    return BigDecimal.__nan if nan? || exponent.respond_to?(:nan?) && exponent.nan?
    whole = exponent.is_a?(Integer) ? exponent : (exponent.to_i if exponent.finite? && exponent == exponent.to_i)
    return __power_of_integer(whole, digits) if whole
    return __power_of_infinity(exponent) unless exponent.finite?
    if @__sign < 0 && !zero?
      raise Math::DomainError, "a non-integral exponent for a negative base"
    end
    return exponent > 0 ? BigDecimal(0) : BigDecimal.__infinite(1) if zero?
    return exponent > 0 ? INFINITY : BigDecimal(0) if infinite?
    digits = [__count, DIVISION_DIGITS].max if digits.nil? || digits == 0
    __root_power(__other(exponent, digits), digits)
  end

  # By the roots of two of the base: the exponent's binary digits.
  def __root_power(exponent, digits)
    wide = digits + 10 + exponent.exponent.abs
    part = exponent.frac.abs
    result = power(exponent.abs.to_i, wide)
    root = self
    one = BigDecimal(1)
    bits = wide * 4
    while bits > 0 && !part.zero?
      root = root.sqrt(wide)
      part *= 2
      if part >= one
        part -= one
        result = result.mult(root, wide)
      end
      bits -= 1
    end
    result = one.div(result, wide) if exponent.negative?
    result.__to_digits(digits)
  end

  def __power_of_infinity(exponent)
    return BigDecimal(1) if self == 1
    (abs > 1) == (exponent > 0) ? INFINITY : BigDecimal(0)
  end

  def __power_of_integer(exponent, digits)
    sign = exponent.odd? ? @__sign : 1
    return BigDecimal(1) if exponent == 0
    if infinite?
      return exponent > 0 ? BigDecimal.__infinite(sign) : BigDecimal.__finite(sign, 0, 0)
    end
    if zero?
      return exponent > 0 ? BigDecimal.__finite(sign, 0, 0) : BigDecimal.__infinite(sign)
    end
    if exponent > 0
      made = BigDecimal.__finite(sign, @__digits**exponent, @__power * exponent)
      return digits && digits > 0 ? made.__to_digits(digits) : made.__limited
    end
    below = BigDecimal.__finite(sign, @__digits**-exponent, @__power * -exponent)
    digits = [__count * 2, DIVISION_DIGITS].max if digits.nil? || digits == 0
    BigDecimal(1).__quotient(below, digits)
  end

  def **(exponent) = power(exponent)

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
