# Float: operators, order, rounding, conversions.

def t
  puts yield.inspect
rescue StandardError => e
  puts "#{e.class}: #{e.message.lines.first.to_s.chomp}"
end

t { 1.5+2 } # => 3.5
t { 1.5+2r } # => 3.5
t { 1.5+2i } # => (1.5+2i)
t { 1.5+nil } # => TypeError: nil can't be coerced into Float
t { 1.5-"a" } # => TypeError: String can't be coerced into Float
t { 1.5*2**70 } # => 1.770887431076117e+21
t { 1.5/0 } # => Infinity
t { -1.5/0 } # => -Infinity
t { 0.0/0 } # => NaN
t { 1.5 % 0.4 } # => 0.29999999999999993
t { -1.5 % 0.4 } # => 0.10000000000000009
t { 1.5 % -0.4 } # => -0.10000000000000009
t { 1.5 % 0 } # => ZeroDivisionError: divided by 0
t { 1.5 % Float::INFINITY } # => 1.5
t { -1.5 % Float::INFINITY } # => Infinity
t { Float::INFINITY % 2 } # => NaN
t { 1.5.divmod(0.4) } # => [3, 0.29999999999999993]
t { -1.5.divmod(0.4) } # => [-4, 0.10000000000000009]
t { 1.5.divmod(0) } # => ZeroDivisionError: divided by 0
t { Float::NAN.divmod(1) } # => FloatDomainError: NaN
t { Float::INFINITY.divmod(1) } # => FloatDomainError: Infinity
t { 1.5.modulo(1) } # => 0.5
t { 1.5.div(0.4) } # => 3
t { 1.5.div(0) } # => ZeroDivisionError: divided by 0
t { 2.0**3 } # => 8.0
t { 2.0**0.5 } # => 1.4142135623730951
t { (-8.0)**(1.0/3) } # => (1.0000000000000002+1.7320508075688772i)
t { (-8.0)**2 } # => 64.0
t { (-1.0)**0.5 } # => (0.0+1.0i)
t { 2.0**2r } # => 4.0
t { 2.0**nil } # => TypeError: nil can't be coerced into Float
t { -1.5.abs } # => 1.5
t { -(0.0) } # => -0.0
t { -0.0 == 0.0 } # => true
t { 0.0.eql?(-0.0) } # => true
t { 1.0.eql?(1.0) } # => true
t { 1.0.eql?(1) } # => false
t { 1.0.equal?(1.0) } # => true
t { Float::NAN == Float::NAN } # => false
t { 1.0 <=> 2 } # => -1
t { 1.0 <=> "a" } # => nil
t { 1.0 <=> Float::NAN } # => nil
t { Float::INFINITY <=> 2**2000 } # => 1
t { 1.0 < "a" } # => ArgumentError: comparison of Float with String failed
t { 1.0 < nil } # => ArgumentError: comparison of Float with nil failed
t { 1.0 < Float::NAN } # => false
t { 2**70 == 2.0**70 } # => true
t { 1.0.hash == 1.0.hash } # => true
t { 0.0.hash == -0.0.hash } # => true
t { 0.0.zero? } # => true
t { 1.0.positive? } # => true
t { -0.0.negative? } # => false
t { Float::NAN.nan? } # => true
t { 1.0.finite? } # => true
t { Float::INFINITY.infinite? } # => 1
t { -Float::INFINITY.infinite? } # => -1
t { 1.0.infinite? } # => nil
t { 1.0.next_float } # => 1.0000000000000002
t { 1.0.prev_float } # => 0.9999999999999999
t { 0.0.next_float } # => 5.0e-324
t { Float::MAX.next_float } # => Infinity
t { Float::NAN.next_float.nan? } # => true
t { 1.5.to_s } # => "1.5"
t { 1e100.to_s } # => "1.0e+100"
t { 1e16.to_s } # => "1.0e+16"
t { 1e15.to_s } # => "1.0e+15"
t { 123456789.123456789 } # => 123456789.12345679
t { 0.0001 } # => 0.0001
t { 0.00001 } # => 1.0e-05
t { 1e-10 } # => 1.0e-10
t { Float::NAN.to_s } # => "NaN"
t { -Float::INFINITY } # => -Infinity
t { 100.0 } # => 100.0
t { 1.0e23 } # => 1.0e+23
t { 5e-324 } # => 5.0e-324
t { 1.7976931348623157e308 } # => 1.7976931348623157e+308
t { 1.5.to_i } # => 1
t { 1e30.to_i } # => 1000000000000000019884624838656
t { Float::NAN.to_i } # => FloatDomainError: NaN
t { Float::INFINITY.to_i } # => FloatDomainError: Infinity
t { 0.1.to_r } # => (3602879701896397/36028797018963968)
t { 0.5.to_r } # => (1/2)
t { 3.0.to_r } # => (3/1)
t { 1e300.to_r.denominator } # => 1
t { Float::NAN.to_r } # => FloatDomainError: NaN
t { 0.1.rationalize } # => (1/10)
t { 0.333.rationalize(0.01) } # => (1/3)
t { 3.14.rationalize(0.01r) } # => (22/7)
t { -0.25.rationalize } # => (-1/4)
t { 1e-20.rationalize } # => (1/99999999999999997962)
t { 1.5.numerator } # => 3
t { 1.5.denominator } # => 2
t { Float::INFINITY.numerator } # => Infinity
t { Float::INFINITY.denominator } # => 1
t { 1.5.round } # => 2
t { 2.5.round } # => 3
t { -2.5.round } # => -3
t { 2.5.round(half: :even) } # => 2
t { 2.5.round(half: :down) } # => 2
t { 2.5.round(half: :up) } # => 3
t { 2.5.round(half: nil) } # => 3
t { 2.5.round(half: "x") } # => ArgumentError: invalid rounding mode: x
t { 1.23456.round(2) } # => 1.23
t { 1.23456.round(-1) } # => 0
t { 15.5.round(-1) } # => 20
t { 1.23456.round(20) } # => 1.23456
t { 1e20.round(2) } # => 1.0e+20
t { 1.15.round(1) } # => 1.2
t { 1.25.round(1, half: :even) } # => 1.2
t { Float::NAN.round } # => FloatDomainError: NaN
t { Float::INFINITY.round(2) } # => Infinity
t { Float::INFINITY.round(-2) } # => FloatDomainError: Infinity
t { 1.5.floor } # => 1
t { -1.5.floor } # => -2
t { 1.57.floor(1) } # => 1.5
t { -1.57.floor(1) } # => -1.6
t { 15.7.floor(-1) } # => 10
t { 1.5.ceil } # => 2
t { 1.51.ceil(1) } # => 1.6
t { 15.1.ceil(-1) } # => 20
t { -1.5.truncate } # => -1
t { 1.57.truncate(1) } # => 1.5
t { -1.57.truncate(1) } # => -1.5
t { 1.5.round(1, 2) } # => ArgumentError: wrong number of arguments (given 2, expected 0..1)
t { 1.5.round("a") } # => TypeError: no implicit conversion of String into Integer
t { 1.5.coerce(1) } # => [1.0, 1.5]
t { 1.5.coerce("1") } # => [1.0, 1.5]
t { 1.5.coerce(1r) } # => [1.0, 1.5]
t { 1.5.coerce(nil) } # => TypeError: can't convert nil into Float
t { 1.5.coerce(1i) } # => RangeError: can't convert 0+1i into Float
t { 1.5.quo(2) } # => 0.75
t { 1.5.fdiv(2) } # => 0.75
t { 1.5.to_c } # => (1.5+0i)
t { 1.5.to_f } # => 1.5
t { 1.5.integer? } # => false
t { 1.5.nonzero? } # => 1.5
t { 0.0.nonzero? } # => nil
t { 1.5.arg } # => 0
t { -1.5.arg } # => 3.141592653589793
t { -0.0.arg } # => 3.141592653589793
t { Float::NAN.arg.nan? } # => true
t { 1.5.polar } # => [1.5, 0]
t { 1.5.step(3.0, 0.5).to_a } # => [1.5, 2.0, 2.5, 3.0]
t { 1.5.clamp(2, 3) } # => 2
t { 1.5 & 1 } # => NoMethodError: undefined method '&' for an instance of Float
t { Float::MAX } # => 1.7976931348623157e+308
t { Float::MIN } # => 2.2250738585072014e-308
t { Float::EPSILON } # => 2.220446049250313e-16
t { Float::DIG } # => 15
t { Float::MANT_DIG } # => 53
t { Float::RADIX } # => 2
t { Float::MAX_EXP } # => 1024
t { Float::MIN_EXP } # => -1021
t { Float::MAX_10_EXP } # => 308
t { Float::MIN_10_EXP } # => -307
t { 1.1 - 1.0 } # => 0.10000000000000009
t { 0.1 + 0.2 } # => 0.30000000000000004
t { 1e22 } # => 1.0e+22
t { 1e21.to_i } # => 1000000000000000000000
t { 4.35.floor(2) } # => 4.35
t { 0.5.floor } # => 0
t { -0.5.round } # => -1
t { 0.5.round } # => 1
t { 1.5.dup } # => 1.5
t { 1.5.eql?(1.5) } # => true
t { 1.5 == 1.5r } # => true
t { 1.5 <=> 1.5r } # => 0
t { 1.5 > 1r } # => true
t { 3.7 .divmod(-1.2) } # => [-4, -1.0999999999999996]
t { 1.0.to_r } # => (1/1)
t { 1.0.denominator } # => 1
t { 1.9.to_int } # => 1
