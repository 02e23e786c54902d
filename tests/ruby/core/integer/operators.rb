# Integer: operators, bits, order, conversions, coercion.

def t
  puts yield.inspect
rescue StandardError => e
  puts "#{e.class}: #{e.message.lines.first.to_s.chomp}"
end

t { 1+2 } # => 3
t { 4611686018427387903+1 } # => 4611686018427387904
t { -4611686018427387904-1 } # => -4611686018427387905
t { 4611686018427387904-1 } # => 4611686018427387903
t { (2**64)*(2**64) } # => 340282366920938463463374607431768211456
t { (2**64)/3 } # => 6148914691236517205
t { (2**64) % -7 } # => -5
t { -(2**64) / 7 } # => -2635249153387078803
t { (2**64).divmod(-10) } # => [-1844674407370955162, -4]
t { 5.divmod(0) } # => ZeroDivisionError: divided by 0
t { 5 % 0 } # => ZeroDivisionError: divided by 0
t { 5 / 0 } # => ZeroDivisionError: divided by 0
t { (2**64) / 0 } # => ZeroDivisionError: divided by 0
t { 5.0 / 0 } # => Infinity
t { 5 % 0.0 } # => ZeroDivisionError: divided by 0
t { 5.divmod(0.5) } # => [10, 0.0]
t { 5.divmod(2**70) } # => [0, 5]
t { -5.divmod(2**70) } # => [-1, 1180591620717411303419]
t { -5 / (2**70) } # => -1
t { -5 % (2**70) } # => 1180591620717411303419
t { (2**70).remainder(-3) } # => 1
t { -7.remainder(3) } # => -1
t { -7.remainder(3.5) } # => -0.0
t { 7.remainder(2r) } # => (1/1)
t { 7.fdiv(2) } # => 3.5
t { (10**400).fdiv(10**399) } # => 10.0
t { 2**10 } # => 1024
t { 2**-2 } # => (1/4)
t { 0**-1 } # => ZeroDivisionError: divided by 0
t { 1**-5 } # => 1
t { (-1)**-3 } # => -1
t { (-8)**(1.0/3) } # => (1.0000000000000002+1.7320508075688772i)
t { 2**0.5 } # => 1.4142135623730951
t { 4**0.5r } # => 2.0
t { 2**(2**70) } # => ArgumentError: exponent is too large
t { 1**(2**70) } # => 1
t { (-1)**(2**70+1) } # => -1
t { 0**0 } # => 1
t { 10.pow(20, 7) } # => 2
t { 10.pow(-1, 7) } # => RangeError: Integer#pow() 1st argument cannot be negative when 2nd argument specified
t { 2.pow(2, 0) } # => ZeroDivisionError: divided by 0
t { 2.pow(5.0, 3) } # => TypeError: Integer#pow() 2nd argument not allowed unless a 1st argument is integer
t { (2**70).pow(2**70, 1000007) } # => 487172
t { -5.abs } # => 5
t { -(2**70).abs } # => -1180591620717411303424
t { (2**62).succ } # => 4611686018427387905
t { (2**62).pred } # => 4611686018427387903
t { -(2**62) } # => -4611686018427387904
t { ~5 } # => -6
t { ~(2**70) } # => -1180591620717411303425
t { 5 & 3 } # => 1
t { 5 & (2**70+1) } # => 1
t { -1 & (2**70) } # => 1180591620717411303424
t { 5 | -(2**70) } # => -1180591620717411303419
t { 5 ^ (2**65) } # => 36893488147419103237
t { 5 & 1.5 } # => TypeError: 1.5 can't be coerced into Integer
t { 5 & nil } # => TypeError: nil can't be coerced into Integer
t { 5 | "a" } # => TypeError: String can't be coerced into Integer
t { 1 << 70 } # => 1180591620717411303424
t { 1 << -1 } # => 0
t { 1 << 2.9 } # => 4
t { -1 >> 100 } # => -1
t { (2**70) >> 69 } # => 2
t { (2**70) << 3 } # => 9444732965739290427392
t { (2**70) >> -3 } # => 9444732965739290427392
t { 1 << (2**70) } # => RangeError: shift width too big
t { 0 << (2**70) } # => 0
t { 1 >> (2**70) } # => 0
t { 5[0] } # => 1
t { 5[1] } # => 0
t { 5[100] } # => 0
t { -5[100] } # => 1
t { 5[-1] } # => 0
t { (2**70)[70] } # => 1
t { 5[0,2] } # => 1
t { 5[0..1] } # => 1
t { 5[1..] } # => 2
t { 5[..1] } # => ArgumentError: The beginless range for Integer#[] results in infinity
t { 4[..1] } # => 0
t { (2**70)[60,20] } # => 1024
t { 255[4, 2] } # => 3
t { 255[2**70] } # => 0
t { -1[2**70] } # => 1
t { 5 <=> 3 } # => 1
t { 5 <=> "a" } # => nil
t { 5 <=> nil } # => nil
t { 5 <=> 5.0 } # => 0
t { (2**70) <=> 1e30 } # => -1
t { (2**70) == (2**70).to_f } # => true
t { 5 == 5.0 } # => true
t { 5 == 5r } # => true
t { 5 == Complex(5,0) } # => true
t { 5 < "a" } # => ArgumentError: comparison of Integer with String failed
t { 5 < nil } # => ArgumentError: comparison of Integer with nil failed
t { 5 >= Object } # => ArgumentError: comparison of Integer with Class failed
t { 5 < 2**70 } # => true
t { (2**70) > 5 } # => true
t { 5 <= 5.5 } # => true
t { 5 < Float::NAN } # => false
t { 5.eql?(5.0) } # => false
t { 5.eql?(5) } # => true
t { (2**70).eql?(2**70) } # => true
t { (2**70).equal?(2**70) } # => false
t { 5.hash == 5.hash } # => true
t { (2**70).hash == (2**70).hash } # => true
t { 5.zero? } # => false
t { 0.zero? } # => true
t { 5.positive? } # => true
t { -5.negative? } # => true
t { (2**70).even? } # => true
t { (2**70+1).odd? } # => true
t { 5.integer? } # => true
t { 5.finite? } # => true
t { 5.infinite? } # => nil
t { 7.allbits?(3) } # => true
t { 7.anybits?(8) } # => false
t { 7.nobits?(8) } # => true
t { 7.allbits?("a") } # => TypeError: no implicit conversion of String into Integer
t { 12.gcd(18) } # => 6
t { 12.lcm(18) } # => 36
t { 12.gcdlcm(18) } # => [6, 36]
t { 12.gcd(2.0) } # => TypeError: not an integer
t { (2**70).gcd(2**65*3) } # => 36893488147419103232
t { 0.gcd(0) } # => 0
t { 0.lcm(5) } # => 0
t { 12345.digits } # => [5, 4, 3, 2, 1]
t { 12345.digits(100) } # => [45, 23, 1]
t { 12345.digits(1) } # => ArgumentError: invalid radix 1
t { 12345.digits(-1) } # => ArgumentError: negative radix
t { -1.digits } # => Math::DomainError: out of domain
t { 255.bit_length } # => 8
t { -256.bit_length } # => 8
t { (2**70).bit_length } # => 71
t { (-2**70).bit_length } # => 70
t { (2**64).size } # => 9
t { 5.size } # => 8
t { 255.to_s(16) } # => "ff"
t { (-255).to_s(36) } # => "-73"
t { (-2**62).to_s(2) == "-1" + "0" * 62 } # => true
t { 0.to_s(7) } # => "0"
t { 255.to_s(37) } # => ArgumentError: invalid radix 37
t { 255.to_s(1) } # => ArgumentError: invalid radix 1
t { (2**70).to_s(36) } # => "6x5kxtvuwilukg"
t { -255.to_s(2) } # => "-11111111"
t { 255.inspect } # => "255"
t { 65.chr } # => "A"
t { 233.chr } # => "\xE9"
t { 233.chr.encoding } # => #<Encoding:BINARY (ASCII-8BIT)>
t { 256.chr } # => RangeError: 256 out of char range
t { 233.chr("UTF-8") } # => "é"
t { 0x3042.chr(Encoding::UTF_8) } # => "あ"
t { -1.chr } # => RangeError: -1 out of char range
t { 0x110000.chr("UTF-8") } # => RangeError: 1114112 out of char range
t { 0xd800.chr("UTF-8") } # => RangeError: invalid codepoint 0xD800 in UTF-8
t { 65.chr("foo") } # => ArgumentError: unknown encoding name - foo
t { (2**70).chr } # => RangeError: bignum out of char range
t { 65.ord } # => 65
t { 5.to_f } # => 5.0
t { (2**70).to_f } # => 1.1805916207174113e+21
t { (10**400).to_f } # => Infinity
t { 5.to_r } # => (5/1)
t { 5.to_c } # => (5+0i)
t { 5.rationalize } # => (5/1)
t { 5.rationalize(0.1) } # => (5/1)
t { 15.round(-1) } # => 20
t { 25.round(-1, half: :even) } # => 20
t { 25.round(-1, half: :down) } # => 20
t { 25.round(-1, half: "up") } # => 30
t { 25.round(-1, half: :foo) } # => ArgumentError: invalid rounding mode: foo
t { 25.round(-1, half: nil) } # => 30
t { 25.round(-1, foo: 1) } # => ArgumentError: unknown keyword: :foo
t { (10**30+5).round(-1) } # => 1000000000000000000000000000010
t { 15.floor(-1) } # => 10
t { -15.floor(-1) } # => -20
t { 15.ceil(-1) } # => 20
t { -15.truncate(-1) } # => -10
t { 15.round(1) } # => 15
t { 15.round(-50) } # => 0
t { 15.ceil(-2) } # => 100
t { 15.round("a") } # => TypeError: no implicit conversion of String into Integer
t { 5.coerce(2) } # => [2, 5]
t { 5.coerce(2.5) } # => [2.5, 5.0]
t { 5.coerce("2.5") } # => [2.5, 5.0]
t { 5.coerce("x") } # => ArgumentError: invalid value for Float(): "x"
t { 5.coerce(nil) } # => TypeError: can't convert nil into Float
t { 5.numerator } # => 5
t { 5.denominator } # => 1
t { 5.dup } # => 5
t { 5.clone } # => 5
t { 5.clone(freeze: false) } # => ArgumentError: can't unfreeze Integer
t { Integer.sqrt(24) } # => 4
t { Integer.sqrt(2**100) } # => 1125899906842624
t { Integer.sqrt(-1) } # => Math::DomainError: Numerical argument is out of domain - "isqrt"
t { Integer.sqrt(24.9) } # => 4
t { Integer.sqrt("a") } # => TypeError: no implicit conversion of String into Integer
t { 1 + nil } # => TypeError: nil can't be coerced into Integer
t { 1 + "a" } # => TypeError: String can't be coerced into Integer
t { 1 + :a } # => TypeError: :a can't be coerced into Integer
t { 1 - [1] } # => TypeError: Array can't be coerced into Integer
t { 1 * true } # => TypeError: true can't be coerced into Integer
t { 1 + 1r } # => (2/1)
t { 1 - 0.5r } # => (1/2)
t { 2 * 0.5r } # => (1/1)
t { 1 / 2r } # => (1/2)
t { 5 % 3r } # => (2/1)
t { 5.divmod(3r) } # => [1, (2/1)]
t { 5 <=> 1r/3 } # => 1
t { 5 > 1r/3 } # => true
t { 1 + 2i } # => (1+2i)
t { 1.quo(2) } # => (1/2)
t { 4.quo(2) } # => (2/1)
t { 1.quo(2.0) } # => 0.5
t { 1.quo(0) } # => ZeroDivisionError: divided by 0
t { 7.div(2.0) } # => 3
t { 7.div(0.0) } # => ZeroDivisionError: divided by 0
t { 7.div(-2) } # => -4
t { 7.modulo(-2) } # => -1
t { 3.nonzero? } # => 3
t { 0.nonzero? } # => nil
t { 3.step(9, 3).to_a } # => [3, 6, 9]
t { 5.i } # => (0+5i)
t { 5.real } # => 5
t { 5.imag } # => 0
t { 5.abs2 } # => 25
t { -5.arg } # => 3.141592653589793
t { 5.polar } # => [5, 0]
t { 5.rect } # => [5, 0]
t { 5.conj } # => 5
t { 5.between?(1,10) } # => true
t { 5.clamp(1,3) } # => 3
t { 5.clamp(..3) } # => 3
t { 1.singleton_methods } # => []
t { 10.pred } # => 9
t { Integer === 5 } # => true
t { Integer === 2**70 } # => true
t { Integer === 5.0 } # => false
t { 5 === 5.0 } # => true
t { (2**64).to_s.to_i == 2**64 } # => true
t { 3.7.to_i } # => 3
t { 1e30.to_i } # => 1000000000000000019884624838656
t { 12.34.divmod(5) } # => [2, 2.34]
t { 100.digits.sum } # => 1
t { (3**500).to_s.size } # => 239
t { (7**300) / (7**299) } # => 7
t { (7**300) * (7**299) == 7**599 } # => true
t { (2**200 - 1) ^ (2**100) } # => 1606938044258990275541962092339894951921974764381296132095999
t { -(2**64) >> 3 } # => -2305843009213693952
t { -(2**64) & 0xff } # => 0
t { -(2**64+1) | 0xff } # => -18446744073709551617
t { 5.respond_to?(:coerce) } # => true
t { class Foo1; def coerce(o); [o, 10]; end; end; 5 + Foo1.new } # => 15
t { 5 < Foo1.new } # => true
t { 5 <=> Foo1.new } # => -1
t { class Foo2; def coerce(o); 1; end; end; 5 + Foo2.new } # => TypeError: coerce must return [x, y]
t { 5 & Foo1.new } # => 0
# The remainder of a Float is found by way of %.
p 57.remainder(-1e25), -57.remainder(1e25), 57.remainder(-2.5) # => 0.0
# => 0.0
# => 2.0
p 57.remainder(-Float::INFINITY), 57.remainder(Float::INFINITY) # => 57
# => 57.0
