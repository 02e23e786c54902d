# Complex: arithmetic, conversions, Kernel#Complex.

def t
  puts yield.inspect
rescue StandardError => e
  puts "#{e.class}: #{e.message.lines.first.to_s.chomp}"
end

t { Complex(1,2) } # => (1+2i)
t { Complex(1.0,-0.0) } # => (1.0-0.0i)
t { Complex("1+2i") } # => (1+2i)
t { Complex("i") } # => (0+1i)
t { Complex("1@2") } # => (-0.4161468365471424+0.9092974268256817i)
t { Complex("x") } # => ArgumentError: invalid value for convert(): "x"
t { Complex(nil) } # => TypeError: can't convert nil into Complex
t { Complex(1,nil) } # => TypeError: can't convert nil into Complex
t { Complex("1","2") } # => (1+2i)
t { Complex(1i,2i) } # => (-2+1i)
t { Complex(Object.new) } # => TypeError: can't convert Object into Complex
t { Complex(1,Object.new) } # => TypeError: not a real
t { Complex("1+2ix") } # => ArgumentError: invalid value for convert(): "1+2ix"
t { "1+2ix".to_c } # => (1+2i)
t { "abc".to_c } # => (0+0i)
t { Complex.rect(1,2) } # => (1+2i)
t { Complex.rect("a") } # => TypeError: not a real
t { Complex.polar(1,Math::PI) } # => (-1+0.0i)
t { Complex.polar(1,Math::PI/2) } # => (0.0+1i)
t { Complex.polar(1) } # => (1+0i)
t { Complex.polar(-1,0) } # => (-1+0.0i)
t { Complex.polar(1,nil) } # => TypeError: not a real
t { Complex.polar(1i,2) } # => TypeError: not a real
t { Complex.polar(2,1) } # => (1.0806046117362795+1.682941969615793i)
t { Complex(1,2)+1 } # => (2+2i)
t { Complex(1,2)*Complex(3,4) } # => (-5+10i)
t { Complex(1,2)/Complex(3,4) } # => ((11/25)+(2/25)*i)
t { Complex(1.0,2)/Complex(3,4) } # => (0.44+0.08i)
t { Complex(1,2)/0 } # => ZeroDivisionError: divided by 0
t { Complex(1,2)/2 } # => ((1/2)+1i)
t { Complex(1,2)**2 } # => (-3+4i)
t { Complex(1,2)**-2 } # => ((-3/25)-(4/25)*i)
t { Complex(1,2)**0.5 } # => (1.272019649514069+0.7861513777574233i)
t { Complex(1,2)**Complex(1,1) } # => (-0.24720004426291722+0.6964504870825432i)
t { Complex(0,0)**2 } # => (0+0i)
t { Complex(0,0)**-1 } # => ZeroDivisionError: divided by 0
t { Complex(1,2)**Rational(1,2) } # => (1.272019649514069+0.7861513777574233i)
t { Complex(1,2)<=>1 } # => nil
t { Complex(1,0)<=>2 } # => -1
t { Complex(1,0)<=>Complex(3,0) } # => -1
t { Complex(1,0)<=>"a" } # => nil
t { Complex(1,2)==Complex(1.0,2.0) } # => true
t { Complex(1,0)==1 } # => true
t { Complex(1,2).to_i } # => RangeError: can't convert 1+2i into Integer
t { Complex(1,0).to_i } # => 1
t { Complex(1,0.0).to_i } # => RangeError: can't convert 1+0.0i into Integer
t { Complex(1,0).to_f } # => 1.0
t { Complex(1,0).to_r } # => (1/1)
t { Complex(1,2).abs } # => 2.23606797749979
t { Complex(3,4).abs2 } # => 25
t { Complex(3,4).arg } # => 0.9272952180016122
t { Complex(3,4).polar } # => [5.0, 0.9272952180016122]
t { Complex(3,4).rect } # => [3, 4]
t { Complex(1,2).conj } # => (1-2i)
t { Complex(1,2).real? } # => false
t { Complex(1,Float::NAN) } # => (1+NaN*i)
t { Complex(Float::INFINITY,-Float::INFINITY) } # => (Infinity-Infinity*i)
t { Complex(1,2).to_s } # => "1+2i"
t { Complex(1r,2r) } # => ((1/1)+(2/1)*i)
t { Complex(1r/2,2r/3).to_s } # => "1/2+2/3i"
t { Complex(1r/2,2r/3).denominator } # => 6
t { Complex(1r/2,2r/3).numerator } # => (3+4i)
t { Complex(1,2).finite? } # => true
t { Complex(1,Float::INFINITY).infinite? } # => 1
t { Complex(1,2).coerce(3) } # => [(3+0i), (1+2i)]
t { Complex(1,2).coerce(3i) } # => [(0+3i), (1+2i)]
t { Complex(1,2).coerce("a") } # => TypeError: String can't be coerced into Complex
t { Complex(1,2).rationalize } # => RangeError: can't convert 1+2i into Rational
t { Complex(1.5,0).rationalize(0.1r) } # => (3/2)
t { Complex(1,2)-nil } # => TypeError: nil can't be coerced into Complex
t { Complex(1,2).hash==Complex(1,2).hash } # => true
t { Complex::I } # => (0+1i)
t { Complex(1,2).eql?(Complex(1,2)) } # => true
t { Complex(1,2).fdiv(2) } # => (0.5+1.0i)
t { Complex(1,2).quo(2) } # => ((1/2)+1i)
t { -Complex(1,2) } # => (-1-2i)
t { Complex("1.5e2-3/4i") } # => (150.0-(3/4)*i)
t { Complex("1",exception: false) } # => (1+0i)
t { Complex("1x",exception:false) } # => nil
t { Complex(1,"a") } # => ArgumentError: invalid value for convert(): "a"
t { Complex(1,"a",exception:false) } # => nil
t { 1+2i } # => (1+2i)
t { 1.0*2i } # => (0.0+2.0i)
t { 2**2i } # => (0.18345697474330172+0.9830277404112437i)
t { 2.0**2i } # => (0.18345697474330172+0.9830277404112437i)
t { 1<=>2i } # => nil
t { 1==Complex(1,0) } # => true
t { 1-Complex(1,2) } # => (0-2i)
t { Complex(1,2)**2.0 } # => (-3.0+4.000000000000002i)
t { Complex(1,2).inspect } # => "(1+2i)"
t { Complex(-0.0,-0.0) } # => (-0.0-0.0i)
t { Complex(1)**-1 } # => (1+0i)
t { Complex(3,4)**3 } # => (-117+44i)
t { Complex(0,1)**2 } # => (-1+0i)
t { Complex(1,2)**0 } # => (1+0i)
t { Complex(1,2).angle } # => 1.1071487177940904
t { Complex(1,2).real } # => 1
t { Complex(1,2).to_c } # => (1+2i)
t { nil.to_c } # => (0+0i)
t { Complex("") } # => ArgumentError: invalid value for convert(): ""
t { Complex(" 1 ") } # => (1+0i)
t { "".to_c } # => (0+0i)
t { "3i".to_c } # => (0+3i)
t { "-i".to_c } # => (0-1i)
t { "1e2@3".to_c } # => (-98.99924966004454+14.112000805986721i)
t { Complex.rectangular(1,2i) } # => TypeError: not a real
t { Complex("1_0") } # => (10+0i)
t { Complex("1/2+3/4i") } # => ((1/2)+(3/4)*i)
t { Complex("1+i1") } # => ArgumentError: invalid value for convert(): "1+i1"
t { {Complex(1,2)=>3}[Complex(1,2)] } # => 3
t { Complex(1,2)*2.5 } # => (2.5+5.0i)
t { 2*Complex(1,2) } # => (2+4i)
t { 3.5/Complex(1,2) } # => (0.7-1.4i)
t { 1r/Complex(1,2) } # => ((1/5)-(2/5)*i)
t { Complex(1,2).respond_to?(:<) } # => false
t { Complex(1,2).respond_to?(:floor) } # => false
t { Complex.respond_to?(:new) } # => false
t { Math.sqrt(2i) } # => (1.0+1.0i)
t { 2i.imaginary } # => 2
t { 3ri } # => (0+(3/1)*i)
t { Complex(1,2) != 1 } # => true
t { [1i,2].sum } # => (2+1i)
t { (-8)**(1.0/3) } # => (1.0000000000000002+1.7320508075688772i)
t { Complex(3,4).magnitude } # => 5.0
p -1e25.fdiv(2i), 1e25 / 2i # => (-0.0+5.0e+24i)
# => (0.0-5.0e+24i)
# Products of finite Floats, and angles, go the short way; what is infinite, zero or exact does not.
p Complex(1.5, 2.0) * Complex(0.5, -1.0), Complex(Float::INFINITY, 0.0) * Complex(1.0, 0.0) # => (2.75-0.5i)
# => (Infinity+0.0i)
p Complex(1, 2.0) * Complex(3.0, 4), Complex.polar(2.0, 0.5) # => (-5.0+10.0i)
# => (1.7551651237807455+0.958851077208406i)
p Complex.polar(0.0, 1.5), Complex.polar(2.0, 0.0), Complex.polar(2.0, Math::PI), Complex.polar(-2.0, Math::PI / 2) # => (0.0+0.0i)
# => (2.0+0.0i)
# => (-2.0+0.0i)
# => (0.0-2.0i)
