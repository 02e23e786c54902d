# Hash methods without blocks, and their errors.

def t
  yield
rescue Exception => x
  [x.class, x.message]
end
h = {a: 1, "b" => 2, 3 => [4], nil => 5, 2.5 => :x, [1] => "y"}
p([h[:a], h["b"], h[3], h[nil], h[2.5], h[[1]], h[:none], h[1], h.size, h.length, h.empty?, {}.empty?]) # => [1, 2, [4], 5, :x, "y", nil, nil, 6, 6, false, true]
p([h.key?(:a), h.has_key?(:z), h.include?([1]), h.member?(nil), h.value?(2), h.has_value?(99), h.key(5), h.key(99)]) # => [true, false, true, true, true, false, nil, nil]
p([h.keys, h.values, h.values_at(:a, :none, nil), h.to_a, h.assoc("b"), h.assoc(0), h.rassoc([4]), h.rassoc(0), h.invert.size]) # => [[:a, "b", 3, nil, 2.5, [1]], [1, 2, [4], 5, :x, "y"], [1, nil, 5], [[:a, 1], ["b", 2], [3, [4]], [nil, 5], [2.5, :x], [[1], "y"]], ["b", 2], nil, [3, [4]], nil, 6]
p([h.delete(:a), h.delete(:a), h.delete(:a) { |k| [k, 1] }, h.shift, h.size]) # => [1, nil, [:a, 1], ["b", 2], 4]
s = +"key"
g = {s => 1}
p([g.keys[0].frozen?, g.keys[0].equal?(s), g["key"]]) # => [true, false, 1]
g.store(:x, 1)
g[:y] = 2
p([g.fetch(:x), t { g.fetch(:none) }, g.fetch(:none, 0), g.fetch(:none) { |k| k }, g.dig(:x), t { g.dig(:x, 1) }]) # => [1, [KeyError, "key not found: :none"], 0, :none, 1, [TypeError, "Integer does not have #dig method"]]
p([t { {}.freeze[1] = 2 }, t { {1 => 2}.freeze.delete(1) }, t { {}.freeze.clear }, t { {}.freeze.compare_by_identity }]) # => [[FrozenError, "can't modify frozen Hash: {}"], [FrozenError, "can't modify frozen Hash: {1 => 2}"], [FrozenError, "can't modify frozen Hash: {}"], [FrozenError, "can't modify frozen Hash: {}"]]
d = Hash.new(7)
p([d[1], d.size, d.default, d.default_proc, d.fetch(1, 0), d.dig(1), d.values_at(1)]) # => [7, 0, 7, nil, 0, 7, [7]]
d.default = 8
p([d[1], d.key?(1)]) # => [8, false]
q = Hash.new { |hash, k| hash[k] = k * 2 }
p([q[2], q[3], q.keys, q.default, q.default(5), q.default_proc.class, q.default_proc.call({}, 4)]) # => [4, 6, [2, 3], nil, 10, Proc, 8]
q.default_proc = nil
p([q[9], t { q.default_proc = 1 }, t { q.default_proc = ->(a) { 1 } }, t { Hash.new(1) { 2 } }.class, t { Hash.new(1, 2) }]) # => [nil, [TypeError, "wrong default_proc type Integer (expected Proc)"], [TypeError, "default_proc takes two arguments (2 for 1)"], Array, [ArgumentError, "wrong number of arguments (given 2, expected 0..1)"]]
q.default_proc = ->(hash, k) { k }
p([q[10], q.default_proc.lambda?]) # => [10, true]
class D < Hash; def default(k = nil) = [:mine, k]; end
p([D.new[4], D.new.values_at(1), D[1, 2].class, D[1, 2][1]]) # => [[:mine, 4], [[:mine, 1]], D, 2]
p([{a: 1} == {a: 1.0}, {a: 1}.eql?({a: 1.0}), {a: 1, b: 2} == {b: 2, a: 1}, {a: 1}.hash == {a: 1}.hash, {a: 1, b: 2}.hash == {b: 2, a: 1}.hash, {a: 1} == 1, {} == {}, {a: 1} == {b: 1}]) # => [true, false, true, true, true, false, true, false]
p([{a: 1} <= {a: 1, b: 2}, {a: 1} < {a: 1}, {a: 1, b: 2} >= {a: 1}, {a: 1} > {}, {a: 2} <= {a: 1}, t { {} <= 1 }]) # => [true, false, true, true, false, [TypeError, "no implicit conversion of Integer into Hash"]]
r = {}
r[:self] = r
p([r == r, r.hash == r.hash, r.dup == r]) # => [true, true, true]
class K
  attr_reader :v
  def initialize(v) = @v = v
  def hash = @v.hash
  def eql?(o) = o.is_a?(K) && @v == o.v
  def inspect = "K#{@v}"
end
k = {K.new(1) => :one, K.new(2) => :two}
p([k[K.new(1)], k[K.new(2)], k[K.new(3)], k.key?(K.new(2)), k.delete(K.new(1)), k.size, k.fetch(K.new(2))]) # => [:one, :two, nil, true, :one, 1, :two]
k[K.new(2)] = :zwei
p([k.values, k.keys, k.size]) # => [[:zwei], [K2], 1]
i = {}.compare_by_identity
i["a".dup] = 1
i["a".dup] = 2
p([i.size, i.compare_by_identity?, i["a"], i.select { true }.compare_by_identity?, i.dup.compare_by_identity?, i.keys]) # => [2, true, nil, true, true, ["a", "a"]]
m = [1]
w = {m => 1}
m << 2
p([w[m], w.rehash[m], w[[1]]]) # => [nil, 1, nil]
p([t { {a: 1}.each { |kk, _| w[kk] = 1; w.each { w[:new] = 1 } } }, t { w.each { w.rehash } }]) # => [[RuntimeError, "can't add a new key into hash during iteration"], [RuntimeError, "rehash during iteration"]]
p([w.merge({b: 2}), {a: 1}.merge({a: 2}, {b: 3}) { |_, x, y| [x, y] }, {a: 1}.update({c: 3}), {a: nil, b: 1}.compact, {a: nil}.compact!, {a: 1}.compact!]) # => [{[1, 2] => 1, a: 1, b: 2}, {a: [1, 2], b: 3}, {a: 1, c: 3}, {b: 1}, {}, nil]
p([{a: 1, b: 2}.slice(:b, :z), {a: 1, b: 2}.except(:a), {a: 1}.to_h, {a: [1, [2]]}.flatten, {a: [1, [2]]}.flatten(2), {a: [1, [2]]}.flatten(-1), {a: 1}.flatten(0)]) # => [{b: 2}, {b: 2}, {a: 1}, [:a, [1, [2]]], [:a, 1, [2]], [:a, 1, 2], [[:a, 1]]]
p([Hash[[[1, 2], [3]]], Hash[1, 2, 3, 4], Hash[{a: 1}], t { Hash[1] }, t { Hash[[1]] }, t { Hash[[[1, 2, 3]]] }, Hash.try_convert(1), Hash.try_convert({})]) # => [{1 => 2, 3 => nil}, {1 => 2, 3 => 4}, {a: 1}, [ArgumentError, "odd number of arguments for Hash"], [ArgumentError, "wrong element type Integer at 0 (expected array)"], [ArgumentError, "invalid number of elements (3 for 1..2)"], nil, {}]
p([{a: 1}.to_proc.call(:a), [:a, :b].map(&{a: 1}), {a: 1}.to_proc.lambda?, {b: 1}.sum { |_, v| v }, {a: 1, b: 2}.min_by { |_, v| -v }, {a: 1}.find { true }, {a: 1, b: 3}.sort_by { |_, v| -v }]) # => [1, [1, nil], true, 1, [:b, 2], [:a, 1], [[:b, 3], [:a, 1]]]
p([{a: 1}.replace({b: 2}), {a: 1}.clear, {a: 1, b: 2}.reject { |_, v| v > 1 }, {a: 1}.any?, {a: 1}.all? { |kk, v| v }, {a: 1}.count, {a: 1}.each_with_index.to_a, {a: 1}.map { |kk, v| [kk, v] }]) # => [{b: 2}, {}, {a: 1}, true, true, 1, [[[:a, 1], 0]], [[:a, 1]]]
p([Hash.new(capacity: 10), t { Hash.new(foo: 1) }.class, {1 => 2}.filter_map { |kk, v| v }, {a: 1}.group_by { |_, v| v }, {a: 1}.partition { true }, {a: 1}.each_with_object([]) { |pair, acc| acc << pair }]) # => [{}, Array, [2], {1 => [[:a, 1]]}, [[[:a, 1]], []], [[:a, 1]]]
x = {a: 1, b: 2, c: 3}
x.each { |kk, _| x.delete(kk) }
p([x]) # => [{}]
y = {b: 1, a: 2}
p([y.sort, y.min, y.to_a.transpose, y.sum { |_, v| v }, y.inject { |aa, b| aa + b }, y.zip([1, 2]), y.each_slice(1).to_a, y.reduce(0) { |acc, (_, v)| acc + v }, y.each_entry.to_a, y.max_by { |_, v| v }]) # => [[[:a, 2], [:b, 1]], [:a, 2], [[:b, :a], [1, 2]], 3, [:b, 1, :a, 2], [[[:b, 1], 1], [[:a, 2], 2]], [[[:b, 1]], [[:a, 2]]], 3, [[:b, 1], [:a, 2]], [:a, 2]]
z = (1..100).to_h { |n| [n, n * n] }
p([z.size, z[50], z.key(2500), z.delete_if { |n, _| n.odd? }.size, z.keep_if { |n, _| n < 10 }, z.transform_values(&:to_s), z.transform_keys { |n| -n }, z.delete(2), z.first, z.first(2)]) # => [100, 2500, 50, 50, {4 => 16, 6 => 36, 8 => 64}, {2 => "4", 4 => "16", 6 => "36", 8 => "64"}, {-2 => 4, -4 => 16, -6 => 36, -8 => 64}, 4, [4, 16], [[4, 16], [6, 36]]]
p([1.0.hash == 1.hash, {1 => :i}[1.0], {1.0 => :f}[1.0], {2**70 => 1}[2**70], {0.0 => 1}[-0.0], {Float::NAN => 1}[Float::NAN]]) # => [false, nil, :f, 1, 1, 1]
