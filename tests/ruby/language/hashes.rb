# Hashes: order, defaults, deletion, iteration and transformation.
h = { b: 1, a: 2 }
h[:c] = 3
h[:b] = 9
p h.keys, h.values, h.to_a, h.size, h.first, h.key(2), h.invert.to_a, h.key?(:a), h.value?(9), h.sum { |_, v| v }
# => [:b, :a, :c]
# => [9, 2, 3]
# => [[:b, 9], [:a, 2], [:c, 3]]
# => 3
# => [:b, 9]
# => :a
# => [[9, :b], [2, :a], [3, :c]]
# => true
# => true
# => 14
h.delete(:b)
h[:b] = 1
p h.keys, h.delete(:none), h.delete(:none) { |k| "no #{k}" }, h.fetch(:a), h.fetch(:z, 0), h.fetch(:z) { |k| k.to_s }
# => [:a, :c, :b]
# => nil
# => "no none"
# => 2
# => 0
# => "z"
begin
  h.fetch(:z)
rescue KeyError => e
  p e.key, e.receiver.equal?(h)
  # => :z
  # => true
end
d = Hash.new { |hash, k| hash[k] = k * 2 }
p d[2], d.size, d.fetch(5, nil), d.default, Hash.new(5)[:x], Hash.new(5).size, d.dig(2), h.dig(:a)
# => 4
# => 1
# => nil
# => nil
# => 5
# => 0
# => 4
# => 2
p h.map { |k, v| [k, v] }, h.select { |_, v| v > 1 }.to_a, h.reject { |_, v| v > 1 }.to_a, h.min_by { |_, v| v }, h.sort_by { |k, _| k }.first, h.sum { |k, v| v }, h.find { |k, v| v == 3 }
# => [[:a, 2], [:c, 3], [:b, 1]]
# => [[:a, 2], [:c, 3]]
# => [[:b, 1]]
# => [:b, 1]
# => [:a, 2]
# => 6
# => [:c, 3]
p h.transform_values { |v| v * 10 }.values, h.transform_keys(&:to_s).keys, h.transform_keys(a: :x).keys, h.filter_map { |k, v| k if v > 1 }, h.to_h { |k, v| [v, k] }.to_a, h.each_with_index.map { |(k, v), i| [k, v, i] }
# => [20, 30, 10]
# => ["a", "c", "b"]
# => [:x, :c, :b]
# => [:a, :c]
# => [[2, :a], [3, :c], [1, :b]]
# => [[:a, 2, 0], [:c, 3, 1], [:b, 1, 2]]
p h.merge({ a: 0, q: 7 }) { |_, old, new| old + new }.to_a, h.merge.equal?(h), h.update(z: 26).size, h.any? { |k, v| v == 26 }, h.all? { |k, v| v }, h.count, h.partition { |_, v| v > 2 }.map(&:size)
# => [[:a, 2], [:c, 3], [:b, 1], [:q, 7]]
# => false
# => 4
# => true
# => true
# => 4
# => [2, 2]
p h.group_by { |_, v| v.odd? }.keys, h.each_with_object([]) { |(k, v), all| all << k }, h.inject(0) { |s, (k, v)| s + v }, h.reduce { |a, b| a }.class, h.zip([1]).first, h.entries.last
# => [false, true]
# => [:a, :c, :b, :z]
# => 32
# => Array
# => [[:a, 2], 1]
# => [:z, 26]
x = { 1 => :int, 1.0 => :float, "1" => :string, nil => :nil, [1] => :array }
p x[1], x[1.0], x["1"], x[nil], x[[1]], x[2], x.size, { 1 => 1 }.eql?({ 1 => 1 }), { a: 1, b: 2 } == { b: 2, a: 1 }, { a: 1 }.hash == { a: 1 }.hash
# => :int
# => :float
# => :string
# => :nil
# => :array
# => nil
# => 5
# => true
# => true
# => true
count = Hash.new(0)
"hello".each_char { |c| count[c] += 1 }
p count.to_a, count.max_by { |_, v| v }, count.sort_by { |k, v| [-v, k] }.first(2), count.sum { |_, v| v }
# => [["h", 1], ["e", 1], ["l", 2], ["o", 1]]
# => ["l", 2]
# => [["l", 2], ["e", 1]]
# => 5
h.clear
p h.empty?, h.compact.size, { a: nil, b: 1 }.compact.to_a, { a: 1, b: 2, c: 3 }.slice(:a, :c).to_a, { a: 1, b: 2 }.except(:a).to_a, { a: 1 }.filter { false }.size, { a: [1, { b: 2 }] }.dig(:a, 1, :b)
# => true
# => 0
# => [[:b, 1]]
# => [[:a, 1], [:c, 3]]
# => [[:b, 2]]
# => 0
# => 2
g = { a: 1, b: 2, c: 3 }
g.each { |k, v| g.delete(k) if v == 2 }
p g.keys, g.delete_if { |_, v| v == 1 }.keys, g.keep_if { false }.size, g.shift
# => [:a, :c]
# => [:c]
# => 0
# => nil
begin
  g = { a: 1 }
  g.each { g[:new] = 1 }
rescue RuntimeError => e
  puts e.message # => can't add a new key into hash during iteration
end
i = {}.compare_by_identity
s = +"k"
i[s] = 1
p i[+"k"], i[s], i.compare_by_identity?, Hash[[[1, 2]]].to_a, [[1, 2], [3, 4]].to_h.to_a, Hash[1, 2].to_a, { a: 1 }.assoc(:a), { a: 1, b: 1 }.rassoc(1), { a: 1 }.store(:b, 2), { b: 1, a: 2 }.min, { a: 1 }.sum { |k, v| v }
# => nil
# => 1
# => true
# => [[1, 2]]
# => [[1, 2], [3, 4]]
# => [[1, 2]]
# => [:a, 1]
# => [:a, 1]
# => 2
# => [:a, 2]
# => 1
