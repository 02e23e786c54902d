# select, reject and transform_values walk over a copy: the block may change the receiver, and does not change the result by that.
h = {a: 1, b: 2}
p h.select { |k, v| h[k.to_s] = v; v == 1 }, h
# => {a: 1}
# => {a: 1, b: 2, "a" => 1, "b" => 2}
h = {a: 1, b: 2}
p h.reject { |k, v| h.clear; v == 1 }, h
# => {b: 2}
# => {}
h = {a: 1, b: 2}
p h.transform_values { |v| h.delete(:b); h[:c] = 3; v + 1 }, h
# => {a: 2, b: 3}
# => {a: 1, c: 3}

# They keep how keys are compared, not the default, the class or that it is frozen.
class Special < Hash; end
one, same = +"x", +"x"
h = Special.new(7).compare_by_identity
h[one] = 1
h[same] = 2
h.freeze
%i[select reject transform_values].each do |name|
  made = h.public_send(name) { name == :select }
  p [made.size, made.class, made.compare_by_identity?, made.default, made.frozen?]
end
# => [2, Hash, true, nil, false]
# => [2, Hash, true, nil, false]
# => [2, Hash, true, nil, false]
p h.transform_values { |v| v * 2 }.values
# => [2, 4]

# What is left of many.
big = (0...1000).to_h { [_1, _1.to_s] }
few = big.select { |k, _| k % 100 == 0 }
p few.keys, few[500], few[501], few.size
# => [0, 100, 200, 300, 400, 500, 600, 700, 800, 900]
# => "500"
# => nil
# => 10
few[:more] = 1
p few.to_a.last, few.reject { true }, big.reject { |k, _| k > 1 }
# => [:more, 1]
# => {}
# => {0 => "0", 1 => "1"}

# A block that breaks or raises.
p big.select { break 5 }, (big.transform_values { raise "out" } rescue $!.message)
# => 5
# => "out"
big[:new] = 1
p big.size
# => 1001
p({}.select { }, {}.transform_values { }, {a: nil}.reject { |_, v| v })
# => {}
# => {}
# => {a: nil}
