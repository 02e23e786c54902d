# Corners of Kernel, Struct, Data, Range, Hash and Comparable that ruby/spec checks.
def e
  yield
rescue => error
  [error.class, error.message]
end

module Extra
  def extra = 1
end
o = Object.new.extend(Extra)
p o.singleton_method(:extra).call # => 1

class Loose
  include Comparable
end
p Loose.new == Loose.new # => false

R = Struct.new(:a, :b)
r = R.new(1)
r.b = r
s = R.new(1)
s.b = s
p r == s # => true
p R.new(1, 2).deconstruct_keys(["a", 1]) # => {"a" => 1, 1 => 2}
p R.new(1, 2).dig(:c, 0) # => nil

D = Data.define(:x, :y)
p D.new("x" => 1, y: 2) # => #<data D x=1, y=2>
p D.new(1, 2).with("y" => 3) # => #<data D x=1, y=3>
p e { D.new(x: 1) } # => [ArgumentError, "missing keyword: :y"]
p e { D.new(x: 1, y: 2, z: 3) } # => [ArgumentError, "unknown keyword: :z"]
p D.new(1, 2).deconstruct # => [1, 2]

p (1..10**12).max(2) # => [1000000000000, 999999999999]
p (1..5).cover?(1...6) # => true
p (1...5).cover?(1..5) # => false
p (nil..nil).include?(1) # => true

h = { 1.0 => :a }
p h.assoc(1) # => [1.0, :a]
p Hash.new(3).merge({ a: nil }).compact.default # => 3

c = Class.new { def to_int = "x" }.new
p e { Array.new(c) }.first # => TypeError
b = Class.new { def to_str = "12" and def to_i = 3 }.new
p Integer(b) # => 12
f = Class.new { def to_f = 2.5 }.new
p format("%.1f", f) # => "2.5"
p test("d", "/") # => true
p global_variables.include?(:$stdout) # => true

# A Hash asks the key that is looked up, not the one it has.
class Asked
  attr_reader :asked
  def hash = 7
  def eql?(_other) = @asked = true
end
stored = Asked.new
wanted = Asked.new
p({ stored => :found }[wanted]) # => :found
p [stored.asked, wanted.asked] # => [nil, true]
p [].send(:initialize, 2, 0) # => [0, 0]
p e { [1].pack("C\0C") }.first # => ArgumentError
[1, 2, 4].chunk(&:even?).each { |pair| p pair }
# => [false, [1]]
# => [true, [2, 4]]
