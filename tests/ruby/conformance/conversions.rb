# What conversion methods return that they should not, and numbers that few texts and few operands have.

class Odd
  def to_a() = 1
  def to_ary() = 1
  def to_str() = 1
  def to_int() = "x"
  def to_i() = "x"
  def to_f() = "x"
  def to_s() = 1
  def to_hash() = 1
  def to_proc() = 1
  def to_io() = 1
  def to_r() = 1
end

def failing
  yield
rescue TypeError, ArgumentError => e
  puts e.message
end

odd = Odd.new
failing { [*odd] } # => can't convert Odd to Array (Odd#to_a gives Integer)
failing { [1] + odd } # => can't convert Odd to Array (Odd#to_ary gives Integer)
failing { "a" + odd } # => can't convert Odd to String (Odd#to_str gives Integer)
failing { [1][odd] } # => can't convert Odd to Integer (Odd#to_int gives String)
failing { Float(odd) } # => can't convert Odd to Float (Odd#to_f gives String)
failing { {}.merge(odd) } # => can't convert Odd to Hash (Odd#to_hash gives Integer)
failing { [1].each(&odd) } # => can't convert Odd to Proc (Odd#to_proc gives Integer)
failing { IO.select([odd]) } # => can't convert Odd to IO (Odd#to_io gives Integer)
failing { Rational(odd) } # => can't convert Odd to Rational (Odd#to_r gives Integer)
failing { Integer("1", odd) } # => can't convert Odd to Integer (Odd#to_int gives String)

# Hexadecimal text with a fraction needs no exponent.
p Float("0x1.8"), Float("0x.1"), Float("0x1."), Float("0x1_0.8_8"), "-0x1.8".to_f
# => 1.5
# => 0.0625
# => 1.0
# => 16.53125
# => -1.5
failing { Float("0x1.8_") } # => invalid value for Float(): "0x1.8_"
failing { Float("0x1_.8") } # => invalid value for Float(): "0x1_.8"
failing { Float("0x1.p") } # => invalid value for Float(): "0x1.p"

part = Object.new
def part.to_r = 1/42r
p Rational(part, 2), Rational(1, part), Rational(part, part)
# => (1/84)
# => (42/1)
# => (1/1)
failing { Rational(1, Object.new) } # => not an integer

# A remainder of what cannot be compared.
class Whole
  def coerce(other) = [self, other]
  def %(other) = self
  def inspect = "whole"
end
failing { 1.remainder(Whole.new) } # => comparison of Whole with 0 failed
failing { 1.5.remainder(Whole.new) } # => comparison of Whole with 0 failed

# Without a block, a step that is nil is 1.
p 1.step(10, nil), 1.step(10, nil).size, 1.step(10, nil).next
# => (1.step(10, nil))
# => 10
# => 1
failing { 1.step(10, nil) {} } # => step must be numeric

# Lines of uuencoded text that say they are longer than they can be, and what stands behind them.
p "\"\n".unpack("u"), "! \r \n".unpack("u"), "#86)CX\n#9&5FX\n".unpack("u"), "#86)CX\r\n#9&5FX\r\n".unpack("u")
# => ["\x00"]
# => ["\x00"]
# => ["abcdef"]
# => ["abcdef"]

# A `respond_to?` that wants more than it is given.
asked = Object.new
def asked.respond_to?(name, all, more) = false
failing { [[asked]].flatten } # => respond_to? must accept 1 or 2 arguments (requires 3)
