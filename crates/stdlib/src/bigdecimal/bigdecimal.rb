# BigDecimal: a decimal number of any precision, a coefficient without trailing zeros times a power of ten.
#
# An object never changes. `@__digits` is the coefficient (not negative), `@__power` the power of ten, `@__sign` 1 or -1, `@__kind`
# :finite, :infinite or :nan.

class BigDecimal < Numeric
  VERSION = "4.0.0"
  BASE = 1_000_000_000
  EXCEPTION_ALL = 255
  EXCEPTION_INFINITY = 1
  EXCEPTION_NaN = 2
  EXCEPTION_UNDERFLOW = 4
  EXCEPTION_OVERFLOW = 1
  EXCEPTION_ZERODIVIDE = 16
  ROUND_MODE = 256
  ROUND_UP = 1
  ROUND_DOWN = 2
  ROUND_HALF_UP = 3
  ROUND_HALF_DOWN = 4
  ROUND_CEILING = 5
  ROUND_FLOOR = 6
  ROUND_HALF_EVEN = 7
  SIGN_NaN = 0
  SIGN_POSITIVE_ZERO = 1
  SIGN_NEGATIVE_ZERO = -1
  SIGN_POSITIVE_FINITE = 2
  SIGN_NEGATIVE_FINITE = -2
  SIGN_POSITIVE_INFINITE = 3
  SIGN_NEGATIVE_INFINITE = -3

  # Digits that a quotient has at least, twice those of a Float.
  DIVISION_DIGITS = 32
  # Digits that a quotient has beyond those of what is divided.
  MORE_DIGITS = 16
  # The least and the greatest exponent. Beyond them a number underflows or overflows.
  EXPONENTS = (-(1 << 63) - 2).div(9) * 9 + 10..((1 << 63) - 1).div(9) * 9
  # A power of ten within these bounds makes for an exponent that is allowed.
  SAFE_POWER = 1 << 61
  private_constant :DIVISION_DIGITS, :MORE_DIGITS, :EXPONENTS, :SAFE_POWER

  MODES = {
    up: 1, down: 2, truncate: 2, half_up: 3, default: 3, half_down: 4, half_even: 7, banker: 7, ceiling: 5, ceil: 5, floor: 6
  }.freeze
  private_constant :MODES

  class << self
    alias __allocate allocate
    private :__allocate
    undef_method :new

    def allocate = raise(TypeError, "allocator undefined for #{self}")

    def __make(sign, digits, power, kind)
      __allocate.__send__(:__fill, sign, digits, power, kind)
    end
    private :__make

    # A finite number: exceptions of what it has become are raised here.
    def __finite(sign, digits, power, tell: true)
      return __make(sign, digits, power, :finite) if power.abs <= SAFE_POWER || digits == 0
      exponent = power + digits.to_s.size
      return __make(sign, digits, power, :finite) if EXPONENTS.cover?(exponent)
      return tell ? __underflow(sign) : __make(sign, 0, 0, :finite) if exponent < 0
      __infinite(sign, "Exponent overflow")
    end

    def __nan(message = "Computation results in 'NaN' (Not a Number)")
      raise FloatDomainError, message if __flags & EXCEPTION_NaN != 0
      NAN
    end

    def __infinite(sign, message = nil)
      if __flags & EXCEPTION_INFINITY != 0
        raise FloatDomainError, message || "Computation results in '#{"-" if sign < 0}Infinity'"
      end
      sign < 0 ? NEGATIVE_INFINITY : INFINITY
    end

    # Where an operand is infinite.
    def __still_infinite(sign) = __infinite(sign, "Computation results to '#{"-" if sign < 0}Infinity'")

    def __underflow(sign)
      raise FloatDomainError, "Exponent underflow" if __flags & EXCEPTION_UNDERFLOW != 0
      __make(sign, 0, 0, :finite)
    end

    def __by_zero(sign)
      raise FloatDomainError, "Divide by zero" if __flags & EXCEPTION_ZERODIVIDE != 0
      __infinite(sign)
    end

    # A number whose exponent is so far beyond all bounds that nobody calculates it.
    def __beyond(sign, large) = large ? __infinite(sign, "Exponent overflow") : __underflow(sign)

    def __flags = Thread.current[:__bigdecimal_exceptions] || 0
    private :__flags

    def mode(which, value = (read = true))
      raise TypeError, "no implicit conversion of #{which.nil? ? "nil" : which.class} into Integer" unless which.is_a?(Integer)
      if which == ROUND_MODE
        current = Thread.current[:__bigdecimal_round] || ROUND_HALF_UP
        return current if read || value.nil?
        return Thread.current[:__bigdecimal_round] = __round_mode(value)
      end
      raise TypeError, "first argument for BigDecimal.mode invalid" if which & EXCEPTION_ALL == 0
      flags = __flags
      unless read || value.nil?
        unless true.equal?(value) || false.equal?(value)
          raise ArgumentError, "second argument must be true or false"
        end
        flags = value ? flags | (which & EXCEPTION_ALL) : flags & ~which
        Thread.current[:__bigdecimal_exceptions] = flags
      end
      flags
    end

    def __round_mode(mode)
      found =
        case mode
        when Integer then mode if mode.between?(1, 7)
        when Symbol then MODES[mode]
        when String then MODES[mode.downcase.to_sym]
        when Hash
          half = mode[:half]
          case half&.to_s&.downcase
          when nil then Thread.current[:__bigdecimal_round] || ROUND_HALF_UP
          when "up" then ROUND_HALF_UP
          when "down" then ROUND_HALF_DOWN
          when "even" then ROUND_HALF_EVEN
          else raise ArgumentError, "invalid rounding mode (#{half})"
          end
        end
      shown = " (#{mode})" if mode.is_a?(Symbol) || mode.is_a?(String)
      found || raise(ArgumentError, "invalid rounding mode#{shown}")
    end

    def limit(digits = nil)
      old = Thread.current[:__bigdecimal_limit] || 0
      unless digits.nil?
        digits = Integer(digits)
        raise ArgumentError, "argument must be positive" if digits < 0
        Thread.current[:__bigdecimal_limit] = digits
      end
      old
    end

    def double_fig = 16

    def save_rounding_mode
      mode = Thread.current[:__bigdecimal_round]
      yield
    ensure
      Thread.current[:__bigdecimal_round] = mode
    end

    def save_exception_mode
      flags = Thread.current[:__bigdecimal_exceptions]
      yield
    ensure
      Thread.current[:__bigdecimal_exceptions] = flags
    end

    def save_limit
      limit = Thread.current[:__bigdecimal_limit]
      yield
    ensure
      Thread.current[:__bigdecimal_limit] = limit
    end

    def _load(text)
      number = text[/\A\d+:/] ? text.sub(/\A\d+:/, "") : raise(TypeError, "marshaled bigdecimal format differed")
      BigDecimal(number)
    end

    def interpret_loosely(text) = __parse(text.to_str, true)

    # The number that `text` is; nil if it is none. `loose`: what it begins with, 0 if that is none.
    def __parse(text, loose)
      case text.strip
      when "NaN" then return __nan
      when "Infinity", "+Infinity" then return __infinite(1)
      when "-Infinity" then return __infinite(-1)
      end
      found =
        if loose
          text[/\A\s*([+-]?(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eEdD][+-]?\d+(?:_\d+)*)?)/, 1]
        else
          text[/\A\s*([+-]?(?:\d+(?:_\d+)*_?(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eEdD][+-]?\d+(?:_\d+)*)?)\s*\z/, 1]
        end
      return loose ? __finite(1, 0, 0) : nil unless found
      found = found.delete("_")
      mantissa, exponent = found.split(/[eEdD]/)
      sign = mantissa.start_with?("-") ? -1 : 1
      whole, part = mantissa.delete("+-").split(".")
      part ||= ""
      power = exponent.to_i - part.size
      digits = (whole + part).to_i
      __finite(sign, digits, power, tell: false)
    end

    # What Kernel#BigDecimal makes of `value`; nil if it cannot and `exception` is false.
    def __convert(value, precision, exception)
      unless precision.nil? || precision.is_a?(Integer)
        precision = Integer(precision)
      end
      if precision && precision < 0
        return unless exception
        raise ArgumentError, "negative precision"
      end
      case value
      when BigDecimal
        # Digits that are asked for do not count, but make for a number of its own.
        precision ? __make(value.__sign, value.__digits, value.__power, value.__kind) : value
      when Integer
        made = __finite(value < 0 ? -1 : 1, value.abs, 0)
        precision && precision > 0 ? made.__to_digits(precision) : made
      when Float
        return __nan if value.nan?
        return __infinite(value < 0 ? -1 : 1) if value.infinite?
        return 1 / value < 0 ? NEGATIVE_ZERO : ZERO if value == 0
        precision ||= 0
        if precision > Float::DIG + 1
          return unless exception
          raise ArgumentError, "precision too large."
        end
        made = __parse(value.to_s, false)
        precision > 0 ? __from_rational(value.to_r, precision) : made
      when Rational
        unless precision
          return unless exception
          raise ArgumentError, "can't omit precision for a Rational."
        end
        __from_rational(value, precision)
      when Complex
        if value.imaginary != 0
          return unless exception
          raise ArgumentError, "Unable to make a BigDecimal from non-zero imaginary number"
        end
        __convert(value.real, precision, exception)
      when String
        raise ArgumentError, "string contains null byte" if value.include?("\0")
        made = __parse(value, false)
        unless made
          return unless exception
          raise ArgumentError, "invalid value for BigDecimal(): #{value.inspect}"
        end
        made
      when nil
        return unless exception
        raise TypeError, "can't convert nil into BigDecimal"
      else
        return __convert(value.to_str, precision, exception) if value.respond_to?(:to_str)
        return unless exception
        shown = true == value || false == value ? value.inspect : value.class
        raise TypeError, "can't convert #{shown} into BigDecimal"
      end
    end

    def __from_rational(value, precision)
      made = __finite(value < 0 ? -1 : 1, value.numerator.abs, 0)
      made.__quotient(__finite(1, value.denominator, 0), precision.zero? ? DIVISION_DIGITS : precision)
    end
  end

  def __sign = @__sign
  def __digits = @__digits
  def __power = @__power
  def __kind = @__kind

  def __fill(sign, digits, power, kind)
    if digits == 0
      power = 0
    else
      # Trailing zeros, by halving steps.
      if digits % 10 == 0
        step = 1
        step *= 2 while digits % 10**(step * 2) == 0
        while step >= 1
          if digits % 10**step == 0
            digits /= 10**step
            power += step
          else
            step /= 2
          end
        end
      end
    end
    @__sign, @__digits, @__power, @__kind = sign, digits, power, kind
    freeze
  end
  private :__fill

  NAN = __make(1, 0, 0, :nan)
  INFINITY = __make(1, 0, 0, :infinite)
  NEGATIVE_INFINITY = __make(-1, 0, 0, :infinite)
  ZERO = __make(1, 0, 0, :finite)
  NEGATIVE_ZERO = __make(-1, 0, 0, :finite)
  private_constant :NEGATIVE_INFINITY, :ZERO, :NEGATIVE_ZERO
  class << self
    private :__make
  end

  def nan? = @__kind == :nan
  def infinite? = @__kind == :infinite ? @__sign : nil
  def finite? = @__kind == :finite
  def zero? = @__kind == :finite && @__digits == 0
  def nonzero? = zero? ? nil : self
  def negative? = @__kind != :nan && @__sign < 0 && !zero?
  def positive? = @__kind != :nan && @__sign > 0 && !zero?
  def real? = true

  def sign
    return SIGN_NaN if nan?
    size = finite? ? (@__digits == 0 ? 1 : 2) : 3
    @__sign * size
  end

  def dup = self
  alias clone dup

  # The exponent of what it is more or less than 1.
  def __near_one
    return [exponent, 0].max unless exponent.between?(0, 1)
    BigDecimal.save_limit do
      BigDecimal.limit(0)
      (self - 1).exponent
    end
  end

  # How many digits the coefficient has.
  def __count = @__digits == 0 ? 0 : @__digits.to_s.size

  def exponent = zero? || !finite? ? 0 : __count + @__power

  def n_significant_digits = finite? ? __count : 0

  def scale
    return 0 if !finite? || zero?
    @__power < 0 ? -@__power : 0
  end

  def precision
    return 0 if !finite? || zero?
    top = exponent
    return top if @__power >= 0
    top > 0 ? top - @__power : -@__power
  end

  def precision_scale = [precision, scale]

  def hash = [BigDecimal, @__kind, zero? ? 0 : @__sign, @__digits, @__power].hash

  # ---- comparison ---------------------------------------------------------------------------

  # `other` as a BigDecimal, if it is a number that has a form as one.
  def __other(other, precision = nil)
    case other
    when BigDecimal then other
    when Integer then BigDecimal.__convert(other, nil, true)
    when Float then BigDecimal.__convert(other, 0, true)
    when Rational then BigDecimal.__convert(other, [precision || 0, __count * 2, DIVISION_DIGITS].max, true)
    end
  end

  # With both as coefficients of one power of ten: the coefficients, with their signs, and the power.
  def __aligned(other)
    power = @__power < other.__power ? @__power : other.__power
    [@__sign * @__digits * 10**(@__power - power), other.__sign * other.__digits * 10**(other.__power - power), power]
  end

  def <=>(other)
    if other.is_a?(Rational)
      return nil if nan?
      return @__sign if !finite?
      return to_r <=> other
    end
    number = __other(other)
    unless number
      return nil if other.nil? || !other.respond_to?(:coerce)
      a, b = other.coerce(self)
      return a <=> b
    end
    return nil if nan? || number.nan?
    return (infinite? || 0) <=> (number.infinite? || 0) unless finite? && number.finite?
    mine = zero? ? 0 : @__sign
    its = number.zero? ? 0 : number.__sign
    return mine <=> its if mine != its || mine == 0
    tops = exponent <=> number.exponent
    return tops * mine if tops != 0
    a, b, = __aligned(number)
    a <=> b
  end

  def ==(other)
    return false if nan?
    case other
    when Numeric then (self <=> other) == 0
    when nil then false
    else
      return false unless other.respond_to?(:coerce)
      a, b = other.coerce(self)
      a == b
    end
  end
  alias === ==
  alias eql? ==

  [:<, :<=, :>, :>=].each do |name|
    define_method(name) do |other|
      order = self <=> other
      if order.nil?
        if !other.is_a?(Numeric) && !other.nil? && other.respond_to?(:coerce)
          a, b = other.coerce(self)
          return a.__send__(name, b)
        end
        return false if nan? || other.is_a?(Numeric) && (other.respond_to?(:nan?) && other.nan?)
        shown = other.nil? || true == other || false == other ? other.inspect : other.is_a?(Numeric) ? other.inspect : other.class
        raise ArgumentError, "comparison of BigDecimal with #{shown} failed"
      end
      order.__send__(name, 0)
    end
  end

  def coerce(other)
    case other
    when Rational then [BigDecimal.__convert(other, [n_significant_digits, 18].max, true), self]
    when Integer, Float, BigDecimal then [BigDecimal(other, 0), self]
    else
      shown = other.nil? || true == other || false == other || other.is_a?(Symbol) ? other.inspect : other.class
      raise TypeError, "#{shown} can't be coerced into BigDecimal"
    end
  end

  # ---- rounding -------------------------------------------------------------------------------

  # As a multiple of a power of ten.
  def __to_power(power, mode = BigDecimal.mode(ROUND_MODE))
    return self if !finite? || @__power >= power
    unit = 10**(power - @__power)
    whole, rest = @__digits.divmod(unit)
    if rest != 0
      half = rest * 2 <=> unit
      up =
        case mode
        when ROUND_UP then true
        when ROUND_DOWN then false
        when ROUND_HALF_UP then half >= 0
        when ROUND_HALF_DOWN then half > 0
        when ROUND_HALF_EVEN then half > 0 || half == 0 && whole.odd?
        when ROUND_CEILING then @__sign > 0
        when ROUND_FLOOR then @__sign < 0
        end
      whole += 1 if up
    end
    BigDecimal.__finite(@__sign, whole, power)
  end

  # With at most so many digits.
  def __to_digits(digits, mode = BigDecimal.mode(ROUND_MODE))
    return self if !finite? || digits <= 0
    extra = __count - digits
    extra > 0 ? __to_power(@__power + extra, mode) : self
  end

  def __limited
    limit = BigDecimal.limit
    limit > 0 ? __to_digits(limit) : self
  end

  def __check_integer
    return if finite?
    raise FloatDomainError, nan? ? "Computation results in 'NaN' (Not a Number)" : "Computation results in '#{"-" if @__sign < 0}Infinity'"
  end

  def round(digits = (none = true; 0), mode = (alone = true; nil))
    if digits.is_a?(Hash)
      mode, digits, alone = digits, 0, false
    end
    mode = mode.nil? ? BigDecimal.mode(ROUND_MODE) : BigDecimal.__round_mode(mode)
    if none || alone && Integer(digits) < 1
      __check_integer
      return __to_power(-Integer(digits), mode).to_i
    end
    __to_power(-Integer(digits), mode)
  end

  { truncate: ROUND_DOWN, ceil: ROUND_CEILING, floor: ROUND_FLOOR }.each do |name, mode|
    define_method(name) do |digits = nil|
      if digits.nil?
        __check_integer
        return __to_power(0, mode).to_i
      end
      __to_power(-Integer(digits), mode)
    end
  end

  def fix = __to_power(0, ROUND_DOWN)

  # Times a power of ten; a limit of digits does not count.
  def _decimal_shift(shift)
    return BigDecimal.__nan if nan?
    return BigDecimal.__infinite(@__sign) if infinite?
    BigDecimal.__finite(@__sign, @__digits, @__power + shift)
  end

  def frac
    return self unless finite?
    return BigDecimal.__finite(@__sign, 0, 0) if @__power >= 0
    BigDecimal.__finite(@__sign, @__digits % 10**-@__power, @__power)
  end

  def to_i
    __check_integer
    whole = @__power >= 0 ? @__digits * 10**@__power : @__digits / 10**-@__power
    @__sign * whole
  end
  alias to_int to_i

  def to_r
    __check_integer
    @__power >= 0 ? Rational(@__sign * @__digits * 10**@__power, 1) : Rational(@__sign * @__digits, 10**-@__power)
  end

  def to_f
    return Float::NAN if nan?
    return @__sign * Float::INFINITY unless finite?
    return @__sign < 0 ? -0.0 : 0.0 if zero?
    if exponent > Float::MAX_10_EXP + 1
      return BigDecimal.__infinite(@__sign, "BigDecimal to Float conversion").then { @__sign * Float::INFINITY }
    end
    if exponent < Float::MIN_10_EXP - 20
      raise FloatDomainError, "BigDecimal to Float conversion" if BigDecimal.mode(EXCEPTION_UNDERFLOW) & EXCEPTION_UNDERFLOW != 0
      return @__sign < 0 ? -0.0 : 0.0
    end
    "#{"-" if @__sign < 0}#{@__digits}e#{@__power}".to_f
  end
end

module Kernel
  def BigDecimal(value, precision = nil, exception: true)
    BigDecimal.__convert(value, precision, exception)
  end
  module_function :BigDecimal
end
