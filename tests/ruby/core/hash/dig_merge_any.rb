# `dig`, `merge` and `any?` ask what a subclass says, and take any number.
class Own < Hash
  def [](key) = "own #{key}"
end
class Digs < Hash
  def dig(*keys) = keys
end
own, digs = Own.new, Digs.new
p({ a: { b: { c: 1 } } }.dig(:a, :b, :c)) # => 1
p({ a: { b: { c: 1 } } }.dig(:a, :x, :c)) # => nil
p({ a: { b: [1, { c: 2 }] } }.dig(:a, :b, 1, :c)) # => 2
p({ a: digs }.dig(:a, :b, :c)) # => [:b, :c]
p({ a: { b: own } }.dig(:a, :b, :c)) # => nil
p({ a: Hash.new { |_, key| [key] } }.dig(:a, :z, 0)) # => :z
begin
  { a: { b: 1 } }.dig(:a, :b, :c)
rescue TypeError => e
  p e.message # => "Integer does not have #dig method"
end

large = (1..20).to_h { |i| [i, -i] }
p({ 1 => 1, 0 => 0 }.merge(large).size) # => 21
p({ 1 => 1, 0 => 0 }.merge({ 2 => 2 }, {}, { 0 => 9 })) # => {1 => 1, 0 => 9, 2 => 2}
h = { a: 1 }
p [h.merge!(h, b: 2), h.update] # => [{a: 1, b: 2}, {a: 1, b: 2}]
p h.merge({ a: 5 }, { a: 6 }) { |key, old, new| [key, old, new] } # => {a: [:a, [:a, 1, 5], 6], b: 2}
p h.merge!({ a: 5 }) { |_, old, new| old + new } # => {a: 6, b: 2}
key = +"text"
p({}.merge(key => 1).keys.first.frozen?) # => true
p({}.compare_by_identity.merge({ key.dup => 1, key.dup => 2 }).size) # => 1
[1, nil, "x"].each do |other|
  h.merge(other)
rescue TypeError => e
  puts e.message
end
# => no implicit conversion of Integer into Hash
# => no implicit conversion of nil into Hash
# => no implicit conversion of String into Hash
def (other = Object.new).to_hash = { z: 1 }
p [h.merge(other), h.frozen?] # => [{a: 6, b: 2, z: 1}, false]
begin
  h.dup.freeze.merge!({})
rescue FrozenError => e
  p e.message # => "can't modify frozen Hash: {a: 6, b: 2}"
end

p h.any? { |k, v| k == :b && v == 2 } # => true
p h.any? { |pair| pair == [:b, 2] } # => true
p h.any? { |k| k == :a } # => false
p [h.any?([:a, 6]), {}.any?, h.any?] # => [true, false, true]
p (h.any? { |k, _| break k }) # => :a
h.any? { |k, _| h.delete(k) && false }
p h # => {}

Point = Struct.new(:x, :y)
point = Point.new(1, 2)
p [point[:y], point["x"], point[0], point[-1], point[1.9]] # => [2, 1, 1, 2, 2]
[:z, "z", 2, -3, nil].each do |key|
  point[key]
rescue NameError, IndexError, TypeError => e
  puts e.message
end
# => no member 'z' in struct
# => no member 'z' in struct
# => offset 2 too large for struct(size:2)
# => offset -3 too small for struct(size:2)
# => no implicit conversion from nil to integer

def splat(a, b = 2, *rest, &block) = [a, b, rest, block&.call]
p [splat(*[1]), splat(*[1, 2, 3], { x: 1 }), splat(*[1, 2], &-> { 4 })] # => [[1, 2, [], nil], [1, 2, [3, {x: 1}], nil], [1, 2, [], 4]]
begin
  splat(*[])
rescue ArgumentError => e
  p e.message # => "wrong number of arguments (given 0, expected 1+)"
end
p [5.clamp(1, 3), -1.clamp(1, 3), 2.clamp(1, 3), 2.clamp(1.5, 3), 5.clamp(..3)] # => [3, 1, 2, 2, 3]
begin
  1.clamp(3, 1)
rescue ArgumentError => e
  p e.message # => "min argument must be less than or equal to max argument"
end
p [(-"a").frozen?, (-"a").equal?(-"a")] # => [true, true]

class String
  undef -@
  def -@ = "redefined"
end
p -"a" # => "redefined"
