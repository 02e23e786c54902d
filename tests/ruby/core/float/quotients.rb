# Quotients as floats, powers of negative numbers, and what numbers are made of.
def t
  yield
rescue StandardError => e
  e.class
end

p t { 0.75r.fdiv(2i) }
# => RangeError
p t { 1.fdiv(2i) }
# => RangeError
p t { 0r.fdiv(-3) }
# => 0.0
p t { 0.75r.fdiv(-0.0) }
# => Infinity
p t { Float::NAN.denominator }
# => 1
p t { -94.digits(String) }
# => Math::DomainError
p t { 94.digits(1) }
# => ArgumentError
# Quotients are rounded once where both are big.
p t { 1.fdiv(1537228672809129359) }
# => 6.505213034913027e-19
p t { 4611686018427388037.fdiv(6) }
# => 7.686143364045646e+17
p t { (2**64 + 1).fdiv(2**62 + 3) }
# => 4.0
p t { (2**64 + 3).fdiv(2**63 + 1) }
# => 2.0
p t { 3.fdiv(2**64 + 1) }
# => 1.6263032587282567e-19
p t { -(2**70 + 1).fdiv(3**40) }
# => -97.10676977362641
p t { (10**400).fdiv(10**399) }
# => 10.0
p t { (10**400).fdiv(7) }
# => Infinity
p t { 1.fdiv(10**400) }
# => 0.0
p t { Rational(2**70 + 1, 3**41).to_f }
# => 32.36892325787547
p t { (10**10).fdiv(-18446744073709551630) }
# => -5.421010862427522e-10
p t { 50728546202701268100.fdiv(48) }
# => 1.0568447125562765e+18
p t { (-3.5) ** 1.9 }
# => (10.27863891729187-3.339732234694206i)
p t { (-2.0) ** 2.25 }
# => (3.363585661014859+3.363585661014857i)
p t { (-10.0) ** 1.1 }
# => (-11.973092164164026-3.89029346894877i)
p t { (-4.0) ** 0.5 }
# => (0.0+2.0i)
p t { (-4.0) ** -1.5 }
# => (0.0+0.125i)
class Two; def to_int = 2; end
p t { Time.at(Two.new).to_i }
# => 2
p t { Time.at(Object.new) }
# => TypeError
