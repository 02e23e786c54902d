# Operator assignment on every kind of target; ||= and &&= stop early.
a = nil
a ||= 1
a ||= 2
a &&= a + 10
p a # => 11
b ||= 5
p b # => 5
x = 3
x += 1; x -= 2; x *= 10; x /= 3; x **= 2; x %= 7; x <<= 3; x |= 1; x &= 0xf; x ^= 2; x >>= 1
p x # => 5
s = +"a"
s += "b"
s *= 2
s <<= "c"
p s # => "ababc"

@ivar ||= :ivar
$gvar ||= :gvar
CONST ||= :const
@ivar &&= nil
p @ivar, $gvar, CONST
# => nil
# => :gvar
# => :const

class Acc
  attr_accessor :value, :log
  def initialize = @log = []
  def [](*key) = (@log << [:get, *key]; (@store ||= {})[key])
  def []=(*key, value)
    @log << [:set, *key, value]
    (@store ||= {})[key] = value
  end
  @@count = 0
  def self.count = @@count += 1
end
o = Acc.new
o.value ||= 1
o.value += 5
o.value &&= o.value * 2
p o.value # => 12
o[1] ||= :one
o[1] ||= :two
o[1, 2] = 3
o[1, 2] += 4
p o.log, o[1, 2]
# => [[:get, 1], [:set, 1, :one], [:get, 1], [:set, 1, 2, 3], [:get, 1, 2], [:set, 1, 2, 7], [:get, 1, 2]]
# => 7
p Acc.count + Acc.count # => 3

h = Hash.new(0)
h[:k] += 1
h[:k] += 1
h[:list] = h.key?(:list) ? 1 : []
h[:list] += [1]
p h[:k], h[:list]
# => 2
# => [1]
n = nil
n&.value ||= 1
n&.value += 1
p n # => nil
o&.value += 1
p o.value # => 13

evaluated = 0
target = -> { evaluated += 1; o }
target.call.value += 1
target.call[:z] ||= 1
p evaluated # => 2
list = [1, 2, 3]
i = 0
list[i += 1] += 10
p list, i
# => [1, 12, 3]
# => 1
p((v = 5; v += (v = 1; 2); v)) # => 7
Object::SCOPED ||= 7
p SCOPED # => 7
z = false
z ||= begin
  1 + 1
end
p z # => 2
w = [nil]
w[0] ||= { k: [] }
w[0][:k] <<= 5
p w[0][:k] # => [5]
p (undefined_variable ||= "now defined") # => "now defined"
