# An object whose `hash` is another one's, and that is `eql?` to it, finds it as a key.
require "delegate"

class Wrapper
  def initialize(object) = @object = object
  def hash = @object.hash
  def eql?(other) = @object.eql?(other)
end

keys = [5, -1, 2**61, 2**100, true, false, nil, 0.0, 1.72723e-77, 1e300, :foo, "dynamic#{keys.inspect}".to_sym, "str", "ü", [1, "a"], {a: 1}, 1r, 3i]
p keys.reject { |key| { key => 1 }[Wrapper.new(key)] == 1 } # => []
p keys.reject { |key| { Wrapper.new(key) => 1 }.keys[0].hash == key.hash } # => []
p({ "str" => 1 }[SimpleDelegator.new("str")], { 7 => 2 }[Wrapper.new(7.0.to_i)]) # => 1
# => 2
small = Class.new { def hash = 1; def eql?(other) = true }
p({ small.new => 3 }[small.new], ({ 1 => 4 }[small.new])) # => 3
# => nil
p keys.all? { _1.hash == _1.dup.hash } # => true
