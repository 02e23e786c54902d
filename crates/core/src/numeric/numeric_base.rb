# frozen_string_literal: true

# What Numeric offers to all numbers, built on the operators of the subclass.
class Numeric
  include Comparable

  # Numbers have no singleton methods: the same number may be many objects.
  def singleton_method_added(name)
    singleton_class.__send__(:remove_method, name)
    raise TypeError, "can't define singleton method \"#{name}\" for #{self.class}"
  end

  def zero?
    self == 0
  end

  def nonzero?
    zero? ? nil : self
  end

  def positive?
    self > 0
  end

  def negative?
    self < 0
  end

  def finite?
    true
  end

  def infinite?
    nil
  end

  def abs
    self < 0 ? -self : self
  end
  alias magnitude abs

  def to_int
    to_i
  end

  def eql?(other)
    return false unless self.class.equal?(Primitive.class_of(other))
    self == other
  end

  def div(other)
    raise ZeroDivisionError, "divided by 0" if other == 0
    (self / other).floor
  end

  def %(other)
    self - other * div(other)
  end
  alias modulo %

  def divmod(other)
    [div(other), self % other]
  end

  def fdiv(other)
    Float(self) / other
  end

  def quo(other)
    return fdiv(other) if Primitive.kind_of(other, Float)
    ratio = respond_to?(:to_r) ? to_r : nil
    raise TypeError, "can't convert #{self.class} into Rational" unless Primitive.kind_of(ratio, Rational)
    ratio / other
  end

  def floor(*digits)
    Float(self).floor(*digits)
  end

  def ceil(*digits)
    Float(self).ceil(*digits)
  end

  def round(*digits, **half)
    Float(self).round(*digits, **half)
  end

  def truncate(*digits)
    Float(self).truncate(*digits)
  end

  def numerator
    to_r.numerator
  end

  def denominator
    to_r.denominator
  end

  def i
    Complex(0, self)
  end

  def to_c
    Complex(self, 0)
  end

  def real
    self
  end

  def imaginary
    0
  end
  alias imag imaginary

  def abs2
    self * self
  end

  def arg
    negative? ? Math::PI : 0
  end
  alias angle arg
  alias phase arg

  def rectangular
    [self, 0]
  end
  alias rect rectangular

  def polar
    [abs, arg]
  end

  def conj
    self
  end
  alias conjugate conj
end

class Float
  def arg
    return self if nan?
    negative? || (zero? && 1 / self < 0) ? Math::PI : 0
  end
  alias angle arg
  alias phase arg

  # The simplest fraction within the given distance; without one, the simplest that reads as this Float.
  def rationalize(eps = Primitive.undef)
    return -(-self).rationalize(eps) if self < 0 && !Primitive.undef?(eps)
    unless Primitive.undef?(eps)
      eps = eps.abs
      low = self - eps
      high = self + eps
      return to_r if low == high
      return Rational.__send__(:simplest, low, high)
    end
    return -(-self).rationalize if self < 0
    exact = to_r
    mantissa, exponent = Math.frexp(self)
    mantissa = Math.ldexp(mantissa, MANT_DIG).to_i
    exponent -= MANT_DIG
    return exact if mantissa == 0 || exponent >= 0
    below = Rational(2 * mantissa - 1, 1 << (1 - exponent))
    above = Rational(2 * mantissa + 1, 1 << (1 - exponent))
    Rational.__send__(:simplest, below, above)
  end
end
