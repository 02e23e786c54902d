# BigDecimal.

require "bigdecimal"
require "bigdecimal/util"

def e = yield rescue [$!.class, $!.message]

a, b = BigDecimal("3.14"), BigDecimal("-2.5")
p a, b, BigDecimal("1e30"), BigDecimal("0.00012"), BigDecimal("-0"), BigDecimal("NaN"), BigDecimal("-Infinity")
# => 0.314e1
# => -0.25e1
# => 0.1e31
# => 0.12e-3
# => -0.0
# => NaN
# => -Infinity
p a + b, a - b, a * b, a.div(b), a % b, a.remainder(b), -a, b.abs
# => 0.64e0
# => 0.564e1
# => -0.785e1
# => -2
# => -0.186e1
# => 0.64e0
# => -0.314e1
# => 0.25e1
p a.div(3, 5), a.add(b, 1), a.mult(b, 2), a ** 3, a.power(-2, 5), BigDecimal(2).sqrt(10).round(9)
# => 0.10467e1
# => 0.6e0
# => -0.79e1
# => 0.30959144e2
# => 0.10142e0
# => 0.1414213562e1
p a.to_s("F"), BigDecimal("1234567.8901234").to_s("3F"), b.to_s("+2E"), BigDecimal("12").to_s(" F")
# => "3.14"
# => "1 234 567.890 123 4"
# => "-0.25e1"
# => " 12.0"
p a.precision, a.scale, a.exponent, a.sign, a.n_significant_digits, a.precision_scale, b.split
# => 3
# => 2
# => 1
# => 2
# => 3
# => [3, 2]
# => [-1, "25", 10, 1]
p a.to_i, a.to_f, a.to_r, b.fix, b.frac, b.round, b.floor, b.ceil, b.truncate
# => 3
# => 3.14
# => (157/50)
# => -0.2e1
# => -0.5e0
# => -3
# => -3
# => -2
# => -2
p %i[up down half_up half_down half_even ceiling floor].map { |m| BigDecimal("-2.5").round(0, m) == 0 ? 0 : BigDecimal("-2.5").round(0, m).to_i }
# => [-3, -2, -3, -2, -2, -2, -3]
p BigDecimal("1234.5678").round(2), BigDecimal("1234.5678").round(-2), BigDecimal("1234.5678").floor(1), BigDecimal("1234.5678").ceil(1)
# => 0.123457e4
# => 1200
# => 0.12345e4
# => 0.12346e4
p a == 3.14, a > 3, a < 3.5r, 3 < a, a <=> b, a == nil, BigDecimal("1.0").eql?(BigDecimal("1")), { BigDecimal("1.0") => 1 }[BigDecimal("1")]
# => true
# => true
# => true
# => true
# => 1
# => false
# => true
# => 1
p 1 + a, 2.0 * a, [a, 1, b].sort, [BigDecimal("0.1")] * 2, ([BigDecimal("0.1")] * 10).sum == 1
# => 0.414e1
# => 0.628e1
# => [-0.25e1, 1, 0.314e1]
# => [0.1e0, 0.1e0]
# => true
p BigDecimal(" 12_3.4e-1 "), BigDecimal(1.5, 0), BigDecimal(1r / 3, 5), BigDecimal("1.23456", 3), "1.5x".to_d, 3.to_d, 0.1.to_d, nil.to_d
# => 0.1234e2
# => 0.15e1
# => 0.33333e0
# => 0.123456e1
# => 0.15e1
# => 0.3e1
# => 0.1e0
# => 0.0
p e { BigDecimal("x") }, e { BigDecimal(nil) }, e { BigDecimal(1.5) }, BigDecimal("x", exception: false)
# => [ArgumentError, "invalid value for BigDecimal(): \"x\""]
# => [TypeError, "can't convert nil into BigDecimal"]
# => 0.15e1
# => nil
p e { BigDecimal("1") % 0 }, e { BigDecimal("NaN").to_i }, e { a + nil }, e { a < "x" }
# => [ZeroDivisionError, "divided by 0"]
# => [FloatDomainError, "Computation results in 'NaN' (Not a Number)"]
# => [TypeError, "nil can't be coerced into BigDecimal"]
# => [ArgumentError, "comparison of BigDecimal with String failed"]
p BigDecimal(1) / 0, (BigDecimal(0) / 0).nan?, BigDecimal::INFINITY.infinite?, (BigDecimal::INFINITY - BigDecimal::INFINITY).nan?
# => Infinity
# => true
# => 1
# => true
p Marshal.load(Marshal.dump(a)) == a, a.frozen?, a.dup.equal?(a), "%.1f" % a, Integer(a), Float(a), Rational(b)
# => true
# => true
# => true
# => "3.1"
# => 3
# => 3.14
# => (-5/2)
BigDecimal.save_rounding_mode { BigDecimal.mode(BigDecimal::ROUND_MODE, :down); p BigDecimal("2.9").round }
# => 2
BigDecimal.save_exception_mode { BigDecimal.mode(BigDecimal::EXCEPTION_NaN, true); p e { BigDecimal(0) / 0 } }
# => [FloatDomainError, "Computation results in 'NaN' (Not a Number)"]
BigDecimal.save_limit { BigDecimal.limit(3); p BigDecimal("1.23456") + 1 }
# => 0.223e1
p Thread.new { BigDecimal.mode(BigDecimal::ROUND_MODE, :up); BigDecimal("2.1").round }.value, BigDecimal("2.1").round
# => 3
# => 2
BigDecimal.save_limit { BigDecimal.limit(1); p BigDecimal("0.888").add(1, 4), BigDecimal("0.888") + 1 } # => 0.1888e1
# => 0.2e1
p e { BigDecimal("NaN").divmod(1) }, e { BigDecimal(1).divmod(0) }, BigDecimal("-7").divmod(2) # => [FloatDomainError, "Computation results in 'NaN' (Not a Number)"]
# => [ZeroDivisionError, "divided by 0"]
# => [-4, 0.1e1]
p BigDecimal("1E11111111111111111111"), a.to_s.encoding # => Infinity
# => #<Encoding:US-ASCII>
p e { a.round(0, :nonsense) }, e { a.sqrt("x") } # => [ArgumentError, "invalid rounding mode (nonsense)"]
# => [TypeError, "no implicit conversion of String into Integer"]

# Rounding to a number of digits makes no Integer, nor does a mode without one.
p BigDecimal("2.5").round(half: :even).to_s, BigDecimal("2.5").round.class, BigDecimal("2.5").round(0, half: :up).to_s
# => "0.2e1"
# => Integer
# => "0.3e1"
p BigDecimal("NaN").round(half: :up).nan?, (BigDecimal("NaN").round rescue $!.class)
# => true
# => FloatDomainError
