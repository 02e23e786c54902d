# Rational: arithmetic, order, rounding, Kernel#Rational.

def t
  puts yield.inspect
rescue StandardError => e
  puts "#{e.class}: #{e.message.lines.first.to_s.chomp}"
end

t { Rational(1,2)+nil } # => TypeError: nil can't be coerced into Rational
t { Rational(1,2)<=>nil } # => nil
t { Rational(1,2)**1r } # => (1/2)
t { Rational(2)**Rational(1,2) } # => 1.4142135623730951
t { Rational(7,2).round(1.5) } # => TypeError: not an integer
t { Rational(7,2).floor(-1) } # => 0
t { Rational(7,3).round(2) } # => (233/100)
t { Rational(5,2).round(half: :even) } # => 2
t { Rational(7,3).ceil(1) } # => (12/5)
t { Rational("1/3") } # => (1/3)
t { Rational("0.75") } # => (3/4)
t { Rational("a") } # => ArgumentError: invalid value for convert(): "a"
t { Rational("1/0") } # => ZeroDivisionError: divided by 0
t { Rational(nil) } # => TypeError: can't convert nil into Rational
t { Rational(1,nil) } # => TypeError: can't convert nil into Rational
t { Rational("1", "2") } # => (1/2)
t { Rational(0.5) } # => (1/2)
t { Rational(0.5,2) } # => (1/4)
t { Rational(1,2.0) } # => (1/2)
t { Rational(1i) } # => RangeError: can't convert 0+1i into Rational
t { Rational(Complex(1,0),2) } # => (1/2)
t { Rational(1,0) } # => ZeroDivisionError: divided by 0
t { Rational("x",exception: false) } # => nil
t { Rational(Object.new) } # => TypeError: can't convert Object into Rational
t { Rational("1_000/3") } # => (1000/3)
t { Rational(" 1/3 ") } # => (1/3)
t { Rational("1e3/2") } # => (500/1)
t { Rational("1/3x") } # => ArgumentError: invalid value for convert(): "1/3x"
t { "1/3x".to_r } # => (1/3)
t { "abc".to_r } # => (0/1)
t { "1.5e2".to_r } # => (150/1)
t { "1/0".to_r } # => ZeroDivisionError: divided by 0
t { Rational("3/2.5") } # => (6/5)
t { Rational(1,2)==0.5 } # => true
t { 1r.coerce(2i) } # => [(0+2i), ((1/1)+0i)]
t { 1r.coerce("a") } # => TypeError: String can't be coerced into Rational
t { 1r.coerce(1.5) } # => [1.5, 1.0]
t { 1r.coerce(2) } # => [(2/1), (1/1)]
t { Rational(7,3).rationalize(0.1r) } # => (7/3)
t { Rational(7,3).rationalize } # => (7/3)
t { Rational(5,2).divmod(1) } # => [2, (1/2)]
t { 5r % 3 } # => (2/1)
t { -7r/2 % 3 } # => (5/2)
t { Rational(-7,2).to_i } # => -3
t { 1r/0.0 } # => Infinity
t { 1r/0 } # => ZeroDivisionError: divided by 0
t { 1r.fdiv(0) } # => Infinity
t { 1r.fdiv(3) } # => 0.3333333333333333
t { Rational(1.5,2.5) } # => (3/5)
t { Rational(:a) } # => TypeError: can't convert Symbol into Rational
t { Rational(3,4).hash==Rational(3,4).hash } # => true
t { Rational(3,-6) } # => (-1/2)
t { Rational("-3/-6") } # => ArgumentError: invalid value for convert(): "-3/-6"
t { Rational(1,Object.new) } # => TypeError: not an integer
t { Rational(Object.new,1,exception: false) } # => nil
t { 0r**-1 } # => ZeroDivisionError: divided by 0
t { 1r**2.0 } # => 1.0
t { Rational(1,3).to_f } # => 0.3333333333333333
t { 2r.abs2 } # => (4/1)
t { Rational(-1,8)**Rational(1,3) } # => (0.25000000000000006+0.4330127018922193i)
t { Rational("1/3",exception: 1) } # => ArgumentError: expected true or false as exception: 1
t { Rational(1,3)+Rational(1,6) } # => (1/2)
t { Rational(1,3)-1 } # => (-2/3)
t { Rational(1,3)*0.5 } # => 0.16666666666666666
t { Rational(1,3)/Rational(2,3) } # => (1/2)
t { Rational(1,3).to_s } # => "1/3"
t { Rational(-1,3).inspect } # => "(-1/3)"
t { Rational(-1,3).abs } # => (1/3)
t { -Rational(1,3) } # => (-1/3)
t { Rational(1,3) < 1 } # => true
t { Rational(1,3) > 0.3 } # => true
t { Rational(1,3) == Rational(2,6) } # => true
t { Rational(4,2) == 2 } # => true
t { Rational(1,3).eql?(Rational(1,3)) } # => true
t { Rational(1,3).zero? } # => false
t { Rational(1,3).positive? } # => true
t { Rational(-1,3).negative? } # => true
t { Rational(1,3).numerator } # => 1
t { Rational(2,3)**3 } # => (8/27)
t { Rational(2,3)**-3 } # => (27/8)
t { Rational(-2,3)**-3 } # => (-27/8)
t { Rational(2,3)**0 } # => (1/1)
t { Rational(1,3).truncate } # => 0
t { Rational(1,3).quo(2) } # => (1/6)
t { Rational(1,3)+1i } # => ((1/3)+1i)
t { Rational(1,3)<=>1i } # => nil
t { 1 <=> Rational(1,3) } # => 1
t { 3.7 % Rational(1,2) } # => 0.20000000000000018
t { {Rational(1,2)=>1}[Rational(2,4)] } # => 1
t { Rational(1,3).div(Rational(1,7)) } # => 2
t { Rational(1,3).modulo(Rational(1,7)) } # => (1/21)
t { Rational(1,3).remainder(Rational(-1,7)) } # => (1/21)
t { Rational(1,3).integer? } # => false
t { Rational(1,3).step(2,Rational(1,2)).to_a } # => [(1/3), (5/6), (4/3), (11/6)]
t { [1r,2,0.5].sum } # => 3.5
t { [0.5r,1.5r].sum } # => (2/1)
t { [3r, 1, 2.5].max } # => (3/1)
t { 1/3r } # => (1/3)
t { 3.14r } # => (157/50)
t { 0.1r+0.2r==0.3r } # => true
t { nil.to_r } # => (0/1)
failing = Class.new { def to_r = raise("no") }.new
t { Rational(failing) } # => RuntimeError: no
t { Rational(failing, exception: false) } # => nil
t { Rational(1, failing, exception: false) } # => nil
t { Rational(Class.new { def to_int = raise("no") }.new, 1).class } # => TypeError: not an integer
t { Ruby::VERSION == RUBY_VERSION && Ruby::ENGINE == RUBY_ENGINE } # => true
