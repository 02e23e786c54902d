# frozen_string_literal: true

# Complex: pairs of real numbers of any kind.
class Complex
  class << self
    undef_method :new if method_defined?(:new)
    undef_method :allocate if method_defined?(:allocate)

    def rectangular(real, imag = 0)
      check_real(real)
      check_real(imag)
      Primitive.complex_new(real, imag)
    end
    alias rect rectangular

    def polar(abs, arg = Primitive.undef)
      made = Primitive.complex_polar(abs, arg)
      return made if made
      abs = real_part(abs)
      return Primitive.complex_new(abs, 0) if Primitive.undef?(arg)
      from_polar(abs, real_part(arg))
    end

    def check_real(x)
      raise TypeError, "not a real" unless Primitive.kind_of(x, Numeric) && x.real?
    end
    private :check_real

    # A Complex without an imaginary part is taken for a real number.
    def real_part(x)
      return x.real if Primitive.kind_of(x, Complex) && x.imaginary == 0
      check_real(x)
      x
    end
    private :real_part

    # Angles that are exact in binary give exact results.
    def from_polar(abs, arg)
      return Primitive.complex_new(abs, 0.0) if abs == 0 || arg == 0
      if Primitive.kind_of(arg, Float)
        return Primitive.complex_new(-abs, 0.0) if arg == Math::PI
        return Primitive.complex_new(0.0, abs) if arg == Math::PI / 2
      end
      Primitive.complex_new(abs * Math.cos(arg), abs * Math.sin(arg))
    end
    private :from_polar
  end

  undef_method :%, :div, :divmod, :floor, :ceil, :modulo, :remainder, :round, :step, :truncate, :i,
               :positive?, :negative?, :<, :<=, :>, :>=, :between?, :clamp

  def real
    Primitive.complex_real(self)
  end

  def imaginary
    Primitive.complex_imaginary(self)
  end
  alias imag imaginary

  def real?
    false
  end

  def +(other)
    if Primitive.kind_of(other, Complex)
      return Primitive.complex_new(real + other.real, imaginary + other.imaginary)
    end
    return Primitive.complex_new(real + other, imaginary) if Primitive.kind_of(other, Numeric) && other.real?
    Primitive.coerce_bin(self, other, :+)
  end

  def -(other)
    if Primitive.kind_of(other, Complex)
      return Primitive.complex_new(real - other.real, imaginary - other.imaginary)
    end
    return Primitive.complex_new(real - other, imaginary) if Primitive.kind_of(other, Numeric) && other.real?
    Primitive.coerce_bin(self, other, :-)
  end

  def -@
    Primitive.complex_new(-real, -imaginary)
  end

  def *(other)
    made = Primitive.complex_times(self, other)
    return made if made
    if Primitive.kind_of(other, Complex)
      a = real
      b = imaginary
      c = other.real
      d = other.imaginary
      return Primitive.complex_new(times(a, c) - times(b, d), times(a, d) + times(b, c))
    end
    return Primitive.complex_new(real * other, imaginary * other) if Primitive.kind_of(other, Numeric) && other.real?
    Primitive.coerce_bin(self, other, :*)
  end

  # Zero times infinity is zero inside a product of Complexes.
  def times(a, b)
    if Primitive.kind_of(a, Float) && a.infinite? && b == 0
      a = a < 0 ? -1.0 : 1.0
    elsif Primitive.kind_of(b, Float) && b.infinite? && a == 0
      b = b < 0 ? -1.0 : 1.0
    end
    a * b
  end
  private :times

  def /(other)
    divide(other, :quo, :/)
  end
  alias quo /

  def fdiv(other)
    divide(other, :fdiv, :fdiv)
  end

  def divide(other, by, op)
    if Primitive.kind_of(other, Complex)
      a = real
      b = imaginary
      c = other.real
      d = other.imaginary
      if c.abs > d.abs
        r = d.__send__(by, c)
        n = c * (r * r + 1)
        x = (a + b * r).__send__(by, n)
        y = (b - a * r).__send__(by, n)
      else
        r = c.__send__(by, d)
        n = d * (r * r + 1)
        # An exact zero leaves the sign of a zero as it is.
        x = Primitive.obj_same(b, 0) ? a * r : a * r + b
        x = x.__send__(by, n)
        y = (b * r - a).__send__(by, n)
      end
      return Primitive.complex_new(canonical(x), canonical(y))
    end
    if Primitive.kind_of(other, Numeric) && other.real?
      return Primitive.complex_new(canonical(real.__send__(by, other)), canonical(imaginary.__send__(by, other)))
    end
    Primitive.coerce_bin(self, other, op)
  end
  private :divide

  def canonical(x)
    Primitive.kind_of(x, Rational) && x.denominator == 1 ? x.numerator : x
  end
  private :canonical

  def **(other)
    return Primitive.complex_new(1, 0) if other == 0 && !Primitive.kind_of(other, Float)
    other = other.numerator if Primitive.kind_of(other, Rational) && other.denominator == 1
    if Primitive.kind_of(other, Complex)
      i = other.imaginary
      other = other.real if i == 0 && !Primitive.kind_of(i, Float)
    end
    return Primitive.complex_new(real, imaginary) if other == 1
    if Primitive.kind_of(other, Complex)
      return Primitive.complex_new(0, 0) if self == 0
      r, theta = polar
      log = Math.log(r)
      return Complex.polar(Math.exp(other.real * log - other.imaginary * theta),
                           theta * other.real + other.imaginary * log)
    end
    if Primitive.kind_of(other, Integer)
      return special_power(other) || integer_power(other) if other.bit_length < 62
      exact = special_power(other)
      return exact if exact
    end
    if Primitive.kind_of(other, Numeric) && other.real?
      return Complex.__send__(:from_polar, abs**other, arg * other)
    end
    Primitive.coerce_bin(self, other, :**)
  end

  # Powers of numbers whose angle is a multiple of 45 degrees, by eighths of a turn; nil for others.
  def special_power(n)
    x = real
    y = imaginary
    if y == 0
      eighths = 0
    elsif x == 0
      eighths = 2
      x = y
    elsif x == y
      eighths = 1
    elsif x == -y
      eighths = 3
      x = y
    else
      return nil
    end
    if x < 0
      x = -x
      eighths += 4
    end
    if eighths.even?
      z = x**n
    else
      z = (2 * x * x)**(n >> 1)
      z *= x if n.odd?
    end
    zero = Primitive.kind_of(z, Float) ? 0.0 : z * 0
    case eighths * n % 8
    when 0 then Primitive.complex_new(z, zero)
    when 1 then Primitive.complex_new(z, z)
    when 2 then Primitive.complex_new(zero, z)
    when 3 then Primitive.complex_new(-z, z)
    when 4 then Primitive.complex_new(-z, zero)
    when 5 then Primitive.complex_new(-z, -z)
    when 6 then Primitive.complex_new(zero, -z)
    else Primitive.complex_new(z, -z)
    end
  end
  private :special_power
  alias pow **

  def integer_power(n)
    return 1.quo(self).__send__(:integer_power, -n) if n < 0
    x = real
    y = imaginary
    return Primitive.complex_new(x**n, y) if y == 0
    if x == 0
      y **= n
      y = -y if n & 2 != 0
      return n & 1 == 0 ? Primitive.complex_new(y, x) : Primitive.complex_new(x, y)
    end
    z = self
    n -= 1
    while n > 0
      while n & 1 == 0
        x, y = x * x - y * y, 2 * x * y
        n >>= 1
      end
      z *= Primitive.complex_new(x, y)
      n -= 1
    end
    z
  end
  private :integer_power

  def ==(other)
    return real == other.real && imaginary == other.imaginary if Primitive.kind_of(other, Complex)
    return real == other && imaginary == 0 if Primitive.kind_of(other, Numeric) && other.real?
    other == self ? true : false
  end

  def <=>(other)
    return nil unless imaginary == 0
    if Primitive.kind_of(other, Complex)
      return other.imaginary == 0 ? real <=> other.real : nil
    end
    return nil unless Primitive.kind_of(other, Numeric)
    return real <=> other if other.real?
    a, b = other.coerce(self)
    a <=> b
  end

  def eql?(other)
    Primitive.kind_of(other, Complex) && Primitive.class_of(real).equal?(Primitive.class_of(other.real)) &&
      Primitive.class_of(imaginary).equal?(Primitive.class_of(other.imaginary)) && self == other
  end

  def hash
    [Complex, real, imaginary].hash
  end

  def coerce(other)
    return [other, self] if Primitive.kind_of(other, Complex)
    return [Primitive.complex_new(other, 0), self] if Primitive.kind_of(other, Numeric) && other.real?
    raise TypeError, "#{Primitive.class_of(other)} can't be coerced into #{self.class}"
  end

  def abs
    Math.hypot(real.to_f, imaginary.to_f)
  end
  alias magnitude abs

  def abs2
    real * real + imaginary * imaginary
  end

  def arg
    Math.atan2(imaginary.to_f, real.to_f)
  end
  alias angle arg
  alias phase arg

  def polar
    [abs, arg]
  end

  def rectangular
    [real, imaginary]
  end
  alias rect rectangular

  def conjugate
    Primitive.complex_new(real, -imaginary)
  end
  alias conj conjugate

  def finite?
    real.finite? && imaginary.finite?
  end

  def infinite?
    real.infinite? || imaginary.infinite? ? 1 : nil
  end

  def denominator
    real.denominator.lcm(imaginary.denominator)
  end

  def numerator
    d = denominator
    Primitive.complex_new(real.numerator * (d / real.denominator),
                          imaginary.numerator * (d / imaginary.denominator))
  end

  def exact_real(target)
    i = imaginary
    if Primitive.kind_of(i, Float) || i != 0
      raise RangeError, "can't convert #{self} into #{target}"
    end
    real
  end
  private :exact_real

  def to_i
    exact_real("Integer").to_i
  end

  def to_f
    exact_real("Float").to_f
  end

  def to_r
    i = imaginary
    return real.to_r if Primitive.kind_of(i, Float) && i == 0
    return real.to_r if !Primitive.kind_of(i, Float) && Primitive.responds(i, :to_r) && i.to_r == 0r
    exact_real("Rational").to_r
  end

  def rationalize(eps = Primitive.undef)
    r = exact_real("Rational")
    Primitive.undef?(eps) ? r.rationalize : r.rationalize(eps)
  end

  def to_c
    self
  end

  def to_s
    written(real.to_s, imaginary.abs.to_s)
  end

  def inspect
    "(#{written(real.inspect, imaginary.abs.inspect)})"
  end

  def written(re, im)
    i = imaginary
    negative = Primitive.kind_of(i, Float) ? (i < 0 || (i == 0 && 1 / i < 0)) : i < 0
    last = im.getbyte(-1)
    star = last >= 48 && last <= 57 ? "" : "*"
    "#{re}#{negative ? "-" : "+"}#{im}#{star}i"
  end
  private :written

  I = Primitive.complex_new(0, 1)
end

module Kernel
  def Complex(real, imag = Primitive.undef, exception: true)
    unless true.equal?(exception) || false.equal?(exception)
      raise ArgumentError, "expected true or false as exception: #{exception.inspect}"
    end
    unless exception
      begin
        return Asterism::Internal.complex(real, imag)
      rescue StandardError
        return nil
      end
    end
    Asterism::Internal.complex(real, imag)
  end
  module_function :Complex
end

module Asterism
  module Internal
    def self.complex(real, imag)
      raise TypeError, "can't convert nil into Complex" if nil.equal?(real) || nil.equal?(imag)
      return real if Primitive.undef?(imag) && Primitive.kind_of(real, Complex)
      real = complex_part(real)
      if Primitive.undef?(imag)
        return real if Primitive.kind_of(real, Complex)
        return Primitive.complex_new(real, 0) if Primitive.kind_of(real, Numeric) && real.real?
        return real if Primitive.kind_of(real, Numeric)
        raise TypeError, "can't convert #{convert_name(real)} into Complex" unless Primitive.responds(real, :to_c, true)
        c = real.to_c
        return c if Primitive.kind_of(c, Complex)
        Asterism::Internal.conversion_mismatch(real, :to_c, "Complex", c)
      end
      imag = complex_part(imag)
      unless Primitive.kind_of(real, Numeric) && Primitive.kind_of(imag, Numeric)
        raise TypeError, "not a real"
      end
      return Primitive.complex_new(real, imag) if real.real? && imag.real?
      real + imag * Complex::I
    end

    def self.complex_part(x)
      if Primitive.kind_of(x, String)
        text = x
        x = parse_complex(x, true)
        raise ArgumentError, "invalid value for convert(): #{text.inspect}" if nil.equal?(x)
      end
      if Primitive.kind_of(x, Complex)
        i = x.imaginary
        return x.real if i == 0 && !Primitive.kind_of(i, Float)
      end
      x
    end

    def self.parse_complex(text, strict)
      parts = Primitive.complex_parse(text, strict)
      return nil if nil.equal?(parts)
      first, second, polar = parts
      polar ? Complex.polar(first, second) : Primitive.complex_new(first, second)
    end
  end
end

class NilClass
  def to_c
    Primitive.complex_new(0, 0)
  end
end
