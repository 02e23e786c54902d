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
  # Powers of ten beyond this overflow.
  MOST_POWER = 1 << 62
  private_constant :DIVISION_DIGITS, :MOST_POWER

  MODES = {
    up: 1, down: 2, truncate: 2, half_up: 3, default: 3, half_down: 4, half_even: 7, banker: 7, ceiling: 5, ceil: 5, floor: 6
  }.freeze
  private_constant :MODES

  class << self
    alias __allocate allocate
    private :__allocate
    undef_method :new, :allocate

    def __make(sign, digits, power, kind)
      __allocate.__send__(:__fill, sign, digits, power, kind)
    end
    private :__make

    # A finite number: exceptions of what it has become are raised here.
    def __finite(sign, digits, power)
      return __make(sign, digits, power, :finite) if power.abs <= MOST_POWER || digits == 0
      power < 0 ? __make(sign, 0, 0, :finite) : __infinite(sign, EXCEPTION_OVERFLOW)
    end

    def __nan
      raise FloatDomainError, "Computation results in 'NaN' (Not a Number)" if __flags & EXCEPTION_NaN != 0
      NAN
    end

    def __infinite(sign, cause = EXCEPTION_INFINITY)
      if __flags & cause != 0
        raise FloatDomainError, "Computation results in '#{"-" if sign < 0}Infinity'"
      end
      sign < 0 ? NEGATIVE_INFINITY : INFINITY
    end

    def __by_zero(sign)
      return __infinite(sign) if __flags & EXCEPTION_INFINITY != 0
      raise ZeroDivisionError, "divided by 0" if __flags & EXCEPTION_ZERODIVIDE != 0
      sign < 0 ? NEGATIVE_INFINITY : INFINITY
    end

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
      when "NaN" then return NAN
      when "Infinity", "+Infinity" then return INFINITY
      when "-Infinity" then return NEGATIVE_INFINITY
      end
      number = /[+-]?(?:\d+(?:_\d+)*_?(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eEdD][+-]?\d+(?:_\d+)*)?/
      found = loose ? text[/\A\s*(#{number})/, 1] : text[/\A\s*(#{number})\s*\z/, 1]
      return loose ? __finite(1, 0, 0) : nil unless found
      found = found.delete("_")
      mantissa, exponent = found.split(/[eEdD]/)
      sign = mantissa.start_with?("-") ? -1 : 1
      whole, part = mantissa.delete("+-").split(".")
      part ||= ""
      power = exponent.to_i - part.size
      digits = (whole + part).to_i
      __finite(sign, digits, power)
    end

    # What Kernel#BigDecimal makes of `value`; nil if it cannot and `exception` is false.
    def __convert(value, precision, exception)
      unless precision.nil? || precision.is_a?(Integer)
        precision = Integer(precision)
      end
      raise ArgumentError, "negative precision" if precision && precision < 0
      case value
      when BigDecimal
        precision && precision > 0 ? value.__to_digits(precision) : value
      when Integer
        made = __finite(value < 0 ? -1 : 1, value.abs, 0)
        precision && precision > 0 ? made.__to_digits(precision) : made
      when Float
        return NAN if value.nan?
        return value < 0 ? NEGATIVE_INFINITY : INFINITY if value.infinite?
        if value == 0
          return __finite(1 / value < 0 ? -1 : 1, 0, 0)
        end
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
        raise TypeError, "can't convert #{value.class} into BigDecimal"
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
  private_constant :NEGATIVE_INFINITY
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
    top > 0 ? top - @__power : __count
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
    when Rational then BigDecimal.__convert(other, precision || [__count * 2, DIVISION_DIGITS].max, true)
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
    else other.respond_to?(:coerce) ? other == self : false
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
      shown = other.nil? || true == other || false == other ? other.inspect : other.class
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
      mode, digits, none = digits, 0, true
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

  def frac
    return self unless finite?
    whole = fix
    part = self - whole
    part.zero? ? BigDecimal.__finite(@__sign, 0, 0) : part
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
      return BigDecimal.__infinite(@__sign, EXCEPTION_OVERFLOW).then { @__sign * Float::INFINITY }
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
