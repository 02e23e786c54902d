# Native methods of Integers that compiled code executes itself, at the ends of what a word holds and beyond.
NUMBERS = [0, 1, -1, 5, -5, 2**53 + 1, 2**62 - 1, -2**62, -2**62 + 1, 2**62, -2**62 - 1, 2**64, -2**64].freeze

def complement(n) = ~n
def absolute(n) = n.abs
def above(n) = n.positive?
def below(n) = n.negative?
def number(n) = n.to_f

def all(n) = [complement(n), absolute(n), above(n), below(n), number(n)]

2000.times { |i| all(i - 1000) }
NUMBERS.each { |n| p all(n) }
# => [-1, 0, false, false, 0.0]
# => [-2, 1, true, false, 1.0]
# => [0, 1, false, true, -1.0]
# => [-6, 5, true, false, 5.0]
# => [4, 5, false, true, -5.0]
# => [-9007199254740994, 9007199254740993, true, false, 9.007199254740992e+15]
# => [-4611686018427387904, 4611686018427387903, true, false, 4.611686018427388e+18]
# => [4611686018427387903, 4611686018427387904, false, true, -4.611686018427388e+18]
# => [4611686018427387902, 4611686018427387903, false, true, -4.611686018427388e+18]
# => [-4611686018427387905, 4611686018427387904, true, false, 4.611686018427388e+18]
# => [4611686018427387904, 4611686018427387905, false, true, -4.611686018427388e+18]
# => [-18446744073709551617, 18446744073709551616, true, false, 1.8446744073709552e+19]
# => [18446744073709551615, 18446744073709551616, false, true, -1.8446744073709552e+19]
p all(2.5) rescue p $!.message # => "undefined method '~' for an instance of Float"
p [absolute(-2.5), above(-2.5), below(-2.5), number(2.5), absolute(-3r), above(0r)] # => [2.5, false, true, 2.5, (3/1), false]

class Integer
  def ~ = :complement
  def abs = :abs
  def positive? = :positive
  def negative? = :negative
  def to_f = :float
end
p all(7) # => [:complement, :abs, :positive, :negative, :float]
