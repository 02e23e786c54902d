# frozen_string_literal: true

# The parts of Rational that need no speed, Kernel#Rational and what makes Rationals of other objects.
class Rational
  class << self
    undef_method :new if method_defined?(:new)
    undef_method :allocate if method_defined?(:allocate)

    # The simplest fraction between two bounds, by continued fractions.
    def simplest(low, high)
      p0 = 0
      p1 = 1
      q0 = 1
      q1 = 0
      while true
        c = low.ceil
        break if c < high
        k = c - 1
        p2 = k * p1 + p0
        q2 = k * q1 + q0
        t = 1.quo(high - k)
        high = 1.quo(low - k)
        low = t
        p0 = p1
        q0 = q1
        p1 = p2
        q1 = q2
      end
      Rational(c * p1 + p0, c * q1 + q0)
    end
    private :simplest
  end

  def rationalize(eps = Primitive.undef)
    return self if Primitive.undef?(eps)
    return -(-self).rationalize(eps) if negative?
    eps = eps.abs
    low = self - eps
    high = self + eps
    return self if low == high
    Rational.__send__(:simplest, low, high)
  end
end

module Kernel
  def Rational(num, den = Primitive.undef, exception: true)
    unless true.equal?(exception) || false.equal?(exception)
      raise ArgumentError, "expected true or false as exception: #{exception.inspect}"
    end
    unless exception
      begin
        return Asterism::Internal.rational(num, den)
      rescue StandardError
        return nil
      end
    end
    Asterism::Internal.rational(num, den)
  end
  module_function :Rational
end

module Asterism
  module Internal
    def self.rational(num, den)
      if nil.equal?(num) || nil.equal?(den)
        raise TypeError, "can't convert nil into Rational"
      end
      num = rational_part(num)
      if Primitive.undef?(den)
        return num if Primitive.kind_of(num, Rational)
        return Primitive.rational_new(num, 1) if Primitive.kind_of(num, Integer)
        raise TypeError, "can't convert #{convert_name(num)} into Rational" unless Primitive.responds(num, :to_r, true)
        r = num.to_r
        Asterism::Internal.conversion_mismatch(num, :to_r, "Rational", r) unless Primitive.kind_of(r, Rational)
        return r
      end
      den = rational_part(den)
      return Primitive.rational_new(num, den) if Primitive.kind_of(num, Integer) && Primitive.kind_of(den, Integer)
      unless Primitive.kind_of(num, Numeric)
        raise TypeError, "not an integer" unless Primitive.responds(num, :to_r, true)
        num = num.to_r
      end
      unless Primitive.kind_of(den, Numeric)
        raise TypeError, "not an integer" unless Primitive.responds(den, :to_r, true)
        den = den.to_r
      end
      num = Primitive.rational_new(num, 1) if Primitive.kind_of(num, Integer)
      num / den
    end

    def self.rational_part(x)
      return x if Primitive.kind_of(x, Integer) || Primitive.kind_of(x, Rational)
      return x.to_r if Primitive.kind_of(x, Float)
      if Primitive.kind_of(x, String)
        r = Primitive.rational_parse(x, true)
        raise ArgumentError, "invalid value for convert(): #{x.inspect}" if nil.equal?(r)
        return r
      end
      if Primitive.kind_of(x, Complex)
        imag = x.imaginary
        return rational_part(x.real) if imag == 0 && !Primitive.kind_of(imag, Float)
      end
      return x if Primitive.kind_of(x, Numeric)
      return x if Primitive.responds(x, :to_r, true) || !Primitive.responds(x, :to_int, true)
      begin
        x.to_int
      rescue StandardError
        x
      end
    end
  end
end

class Integer
  def quo(other)
    return fdiv(other) if Primitive.kind_of(other, Float)
    if Primitive.kind_of(other, Integer)
      r = Primitive.rational_new(self, other)
      return r
    end
    Primitive.rational_new(self, 1) / other
  end
end

class NilClass
  def to_r
    Primitive.rational_new(0, 1)
  end

  def rationalize(eps = nil)
    Primitive.rational_new(0, 1)
  end
end
