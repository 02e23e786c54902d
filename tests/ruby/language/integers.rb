# Integers of any size: arithmetic, division, bits and conversion.
p 7 / 2, -7 / 2, 7 % 3, -7 % 3, 7.remainder(-3), -7.divmod(2), 7.fdiv(2), 2**10, 0**0, 7.pow(100, 13)
# => 3
# => -4
# => 1
# => 2
# => 1
# => [-4, 1]
# => 3.5
# => 1024
# => 1
# => 9
p 2**64, 2**64 - 1, -(2**64), 2**100 / 2**98, 2**100 % 1000, (2**100).to_s.length, 10**25, 10**25 / 3, -(10**25) / 3, 10**25 % -7
# => 18446744073709551616
# => 18446744073709551615
# => -18446744073709551616
# => 4
# => 376
# => 31
# => 10000000000000000000000000
# => 3333333333333333333333333
# => -3333333333333333333333334
# => -4
p 4611686018427387903 + 1, 4611686018427387904 - 1, -4611686018427387904 - 1, 9223372036854775807 + 1, 3037000500 * 3037000500, 4611686018427387904 * 2
# => 4611686018427387904
# => 4611686018427387903
# => -4611686018427387905
# => 9223372036854775808
# => 9223372037000250000
# => 9223372036854775808
p 1 << 70, (1 << 70) >> 68, -1 >> 3, 5 & 3, 5 | 3, 5 ^ 3, ~5, 5[0], 5[1], (2**70)[70], -1 & 2**70, 1 << -1, 0xff, 0b101, 0o17, 1_000
# => 1180591620717411303424
# => 4
# => -1
# => 1
# => 7
# => 6
# => -6
# => 1
# => 0
# => 1
# => 1180591620717411303424
# => 0
# => 255
# => 5
# => 15
# => 1000
p 10.gcd(4), 10.lcm(4), 10.digits, 255.digits(16), 5.bit_length, (2**70).bit_length, 10.pred, 10.succ, -5.abs, 5.clamp(1, 3), 3.zero?, 0.zero?, 5.positive?
# => 2
# => 20
# => [0, 1]
# => [15, 15]
# => 3
# => 71
# => 9
# => 11
# => 5
# => 3
# => false
# => true
# => true
p 1 == 1.0, 1.eql?(1.0), 1.equal?(1), 2**70 == 2**70, (2**70).eql?(2**70), (2**70).hash == (2**70).hash, 1 <=> 2, 1 <=> "x", 3.between?(1, 5)
# => true
# => false
# => true
# => true
# => true
# => true
# => -1
# => nil
# => true
p Integer("42"), Integer("0x1f", 16), Integer("-0b11", 2), Integer("z", 36), Integer("1_000"), Integer("x", exception: false), Integer(3.9), "12345678901234567890".to_i
# => 42
# => 31
# => -3
# => 35
# => 1000
# => nil
# => 3
# => 12345678901234567890
def failing
  yield
rescue ZeroDivisionError, ArgumentError, TypeError, FloatDomainError => e
  puts "#{e.class}: #{e.message}"
  # => ZeroDivisionError: divided by 0
  # => ZeroDivisionError: divided by 0
  # => ArgumentError: invalid value for Integer(): "x"
  # => TypeError: can't convert nil into Integer
  # => TypeError: nil can't be coerced into Integer
  # => TypeError: String can't be coerced into Integer
  # => TypeError: no implicit conversion of Integer into Array
  # => FloatDomainError: NaN
end
failing { 1 / 0 }
failing { 1 % 0 }
failing { Integer("x") }
failing { Integer(nil) }
failing { 1 + nil }
failing { 1 + "a" }
failing { [1] + 1 }
failing { Integer(0.0 / 0) }
p 1.0 / 0, -1.0 / 0, (0.0 / 0).nan?, 5.0.to_i, 5.7.truncate, -5.7.round, 5.5.round, 6.5.round, 5.49.ceil, 1e20.to_i, 0.1 + 0.2 == 0.3, 3.0 == 3, 1.5.floor, -1.5.floor
# => Infinity
# => -Infinity
# => true
# => 5
# => 5
# => -6
# => 6
# => 7
# => 6
# => 100000000000000000000
# => false
# => true
# => 1
# => -2
p 100.to_s(2), 10.to_f, 65.chr, 3.7 % 1, -3.7.abs, 10.0.divmod(3), 2 ** 0.5, 4 ** 0.5, 10.coerce(2.5), 1.coerce(2)
# => "1100100"
# => 10.0
# => "A"
# => 0.7000000000000002
# => 3.7
# => [3, 1.0]
# => 1.4142135623730951
# => 2.0
# => [2.5, 10.0]
# => [2, 1]
p Integer.sqrt(24), Integer.sqrt(10**30), Math.sqrt(16), 10.ceil(-1), 15.floor(-1), 3.times.to_a, 1.upto(3).to_a, 3.downto(1).to_a, 1.step(2, 0.5).to_a
# => 4
# => 1000000000000000
# => 4.0
# => 10
# => 10
# => [0, 1, 2]
# => [1, 2, 3]
# => [3, 2, 1]
# => [1.0, 1.5, 2.0]
p 5.even?, 5.odd?, -3.pow(2), (-8) ** 3, 6.allbits?(2), 6.anybits?(1), 6.nobits?(1), 1.size, 3.integer?, 3.0.integer?, 3.finite?, 1.next, 5.ord
# => false
# => true
# => 9
# => -512
# => true
# => false
# => true
# => 8
# => true
# => false
# => true
# => 2
# => 5
p (2**64).to_s(16), (10**20).digits.size, (3**50).to_s, (3**50 * 7**30) / 3**49, (2**200).to_f, 2**64 > 2.0**63, (2**64).coerce(1), -(2**65) >> 1, (2**65 + 1) & 1
# => "10000000000000000"
# => 21
# => "717897987691852588770249"
# => 67618020872076774263589747
# => 1.6069380442589903e+60
# => true
# => [1, 18446744073709551616]
# => -18446744073709551616
# => 1
