# Frozen objects refuse changes with FrozenError; dup thaws and clone does not.
def attempt
  yield
  :changed
rescue FrozenError => e
  e.message
end
puts attempt { "abc".freeze << "d" } # => can't modify frozen String: "abc"
puts attempt { [1, 2].freeze << 3 } # => can't modify frozen Array: [1, 2]
puts attempt { [3, 1].freeze.sort! } # => can't modify frozen Array: [3, 1]
puts attempt { :sym.instance_variable_set(:@a, 1) } # => can't modify frozen Symbol: :sym
puts attempt { "x".freeze.upcase! } # => can't modify frozen String: "x"
puts attempt { (1..2).instance_variable_set(:@a, 1) } # => can't modify frozen Range: 1..2

class Item
  attr_accessor :value
end
item = Item.new
item.value = 1
item.freeze
p (begin; item.value = 2; rescue FrozenError => e; e.receiver.equal?(item); end) # => true
p item.frozen?, item.value, item.dup.frozen?, item.clone.frozen?, item.clone(freeze: false).frozen?
# => true
# => 1
# => false
# => true
# => false
copy = item.dup
copy.value = 3
p copy.value, item.value
# => 3
# => 1
p 1.frozen?, nil.frozen?, 1.5.frozen?, "a".frozen?, :a.frozen?, (1..2).frozen?, [].frozen?
# => true
# => true
# => true
# => false
# => true
# => true
# => false
CONST = %w[a b].freeze
p CONST.frozen?, CONST.first.frozen?
# => true
# => false
p CONST.map(&:upcase), CONST.dup << "c"
# => ["A", "B"]
# => ["a", "b", "c"]
hash = { a: 1 }.freeze
begin
  hash[:b] = 2
rescue => e
  p e.class, e.class.superclass
  # => FrozenError
  # => RuntimeError
end
p hash.merge(b: 2).size # => 2
key = +"key"
h = { key => 1 }
p h.keys.first.frozen?, key.frozen?, h.keys.first.equal?(key)
# => true
# => false
# => false
Locked = Struct.new(:a)
puts attempt { Locked.new(1).freeze.a = 2 } == :changed ? "changed" : "refused" # => refused
class Sealed; end
Sealed.freeze
puts attempt { class Sealed; def x; end; end }[0, 26] # => can't modify frozen Class:
p "lit".equal?("lit"), "a#{1}".frozen?
# => false
# => false
p (+"").frozen?, (-"x").frozen?, (-"x").equal?(-"x")
# => false
# => true
# => true
a = [1, [2]].freeze
a[1] << 3
p a # => [1, [2, 3]]
o = Object.new.freeze
p((o.instance_variable_set(:@x, 1) rescue "refused")) # => "refused"
