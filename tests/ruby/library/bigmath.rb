# BigMath: as many digits as are asked for, the last one rounded.
require "bigdecimal/math"
include BigMath

p PI(40) # => 0.3141592653589793238462643383279502884197e1
p E(40) # => 0.2718281828459045235360287471352662497757e1
p BigMath.log(2, 40), BigMath.log(10, 40) # => 0.6931471805599453094172321214581765680755e0
# => 0.2302585092994045684017991454684364207601e1
p BigMath.exp(BigDecimal("1.5"), 30) # => 0.448168907033806482260205546012e1
p BigMath.log(BigDecimal("1e-30") + 1, 20) # => 0.1e-29
p sqrt(2, 30), cbrt(27, 10), hypot(3, 4, 10) # => 0.141421356237309504880168872421e1
# => 0.3e1
# => 0.5e1
half = BigDecimal("0.5")
p acos(half, 30) * 3 - PI(31) < BigDecimal("1e-28"), (asin(half, 20) * 6 - PI(20)).abs < 1e-17 # => true
# => true
p sin(BigDecimal("1e-30"), 20), cos(BigDecimal("1e50"), 20), tan(1, 20) # => 0.1e-29
# => -0.61352860823366356226e0
# => 0.15574077246549022305e1
p (atan(1, 20) * 4 - PI(20)).abs < 1e-17, atan2(-1, -2, 20), atan2(0, -1, 20) == PI(20) # => true
# => -0.26779450445889871222e1
# => true
p sinh(half, 20), cosh(half, 20), tanh(half, 20) # => 0.52109530549374736162e0
# => 0.11276259652063807852e1
# => 0.4621171572600097585e0
p asinh(sinh(half, 40), 20), acosh(cosh(half, 40), 20), atanh(tanh(half, 40), 20) # => 0.5e0
# => 0.5e0
# => 0.5e0
p log2(BigDecimal(2**100), 20), log10(BigDecimal("1e-7"), 20), log1p(BigDecimal("1e-20"), 20), expm1(BigDecimal("1e-10"), 20)
# => 0.1e3
# => -0.7e1
# => 0.1e-19
# => 0.100000000005e-9
p frexp(BigDecimal("-123.4")), ldexp(BigDecimal("0.5"), 3) # => [-0.1234e0, 3]
# => 0.5e3

p BigDecimal(2222)**3.5, BigDecimal("12.34")**-3, BigDecimal(3).power(-1, 5) # => 0.51713530845725258924924158304123e12
# => 0.53217506381513416731523551260569e-3
# => 0.33333e0
p BigDecimal(1) / 3, BigDecimal("1e40") / 3, BigDecimal("-0.0").remainder(1) # => 0.33333333333333333333333333333333e0
# => 0.333333333333333333333333333333333333333333333333333333333e40
# => -0.0
p BigDecimal("0.001").precision, BigDecimal("123.456").frac, BigDecimal("1.")._decimal_shift(-3) # => 3
# => 0.456e0
# => 0.1e-2
p BigDecimal.interpret_loosely("1_.125"), BigDecimal("1E99999999999999999999").infinite? # => 0.1e1
# => 1

def error
  yield
rescue ArgumentError, TypeError, Math::DomainError, FloatDomainError => e
  [e.class, e.message]
end
p error { exp(1, 0) }, error { log(-1, 5) }, error { log(nil, 5) }, error { sin(1, nil) }
# => [ArgumentError, "Zero or negative precision for exp"]
# => [Math::DomainError, "Zero or negative argument for log"]
# => [ArgumentError, "nil can't be coerced into BigDecimal"]
# => [TypeError, "no implicit conversion of nil into Integer"]
p error { BigDecimal(-2)**BigDecimal::INFINITY }, error { BigDecimal(-2).power(0.5) }, BigDecimal(-2)**-BigDecimal::INFINITY
# => [Math::DomainError, "the powers of a negative base do not converge"]
# => [Math::DomainError, "a non-integral exponent for a negative base"]
# => 0.0
BigDecimal.save_exception_mode do
  BigDecimal.mode(BigDecimal::EXCEPTION_ALL, true)
  p error { BigDecimal("Infinity") }, error { BigDecimal(1) / 0 }, error { BigDecimal("1e-999999999999999999") ** 100 }
  # => [FloatDomainError, "Computation results in 'Infinity'"]
  # => [FloatDomainError, "Divide by zero"]
  # => [FloatDomainError, "Exponent underflow"]
end
p Array.new(3) { |i| Thread.new { exp(i + 1, 50) } }.map(&:value) == [1, 2, 3].map { |i| exp(i, 50) } # => true
