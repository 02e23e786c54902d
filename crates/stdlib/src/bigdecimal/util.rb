# Conversions to BigDecimal.

require "bigdecimal"

class Integer
  def to_d = BigDecimal(self)
end

class Float
  def to_d(precision = 0)
    raise TypeError, "can't convert #{precision.inspect} into Integer" unless precision
    BigDecimal(self, precision)
  end
end

class String
  def to_d = BigDecimal.interpret_loosely(self)
end

class Rational
  def to_d(precision = 0) = BigDecimal(self, precision)
end

class Complex
  def to_d(precision = 0) = BigDecimal(self, precision)
end

class NilClass
  def to_d = BigDecimal(0)
end

class BigDecimal
  def to_d = self

  def to_digits
    return to_s if nan? || infinite? || zero?
    text = to_s("F")
    text
  end
end
