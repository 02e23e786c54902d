# Array methods without blocks, and their errors.

def t
  yield
rescue Exception => x
  [x.class, x.message]
end


a = [1, 2, 3, 4, 5]
p([a[0], a[-1], a[5], a[-6], a[1, 2], a[5, 1], a[6, 1], a[-2, 5], a[1..], a[..2], a[1...-1], a[5..], a[6..], a[-9..2], a[2, -1]]) # => [1, 5, nil, nil, [2, 3], [], nil, [4, 5], [2, 3, 4, 5], [1, 2, 3], [2, 3, 4], [], nil, nil, nil]
p([a[1.9], a[(0..).step(2)], a[(..-2) % 3], a[(-1..0).step(-2)]]) # => [2, [1, 3, 5], [1, 4], [5, 3, 1]]
p([a.slice(1, 2), a.at(-2), a.first, a.last, a.first(2), a.last(2), a.first(9), a.last(0), a.take(2), a.drop(2), a.drop(9)]) # => [[2, 3], 4, 1, 5, [1, 2], [4, 5], [1, 2, 3, 4, 5], [], [1, 2], [3, 4, 5], []]
p([a.values_at(0, 2, -1, 9, 1..2, 3..6, -9)]) # => [[1, 3, 5, nil, 2, 3, 4, 5, nil, nil, nil]]
p([nil, t { a.values_at(-9..1) }]) # => [nil, [RangeError, "-9..1 out of range"]]
p([nil, t { a.first(-1) }, t { a.take(-1) }, t { a.drop(-1) }, t { a["x"] }, t { a[nil] }, t { a[1, nil] }]) # => [nil, [ArgumentError, "negative array size"], [ArgumentError, "attempt to take negative size"], [ArgumentError, "attempt to drop negative size"], [TypeError, "no implicit conversion of String into Integer"], [TypeError, "no implicit conversion from nil to integer"], [TypeError, "no implicit conversion from nil to integer"]]
b = [1, 2, 3]
b[5] = 6
p([b]) # => [[1, 2, 3, nil, nil, 6]]
b[1, 2] = [:a, :b, :c]
p([b]) # => [[1, :a, :b, :c, nil, nil, 6]]
b[0..1] = 9
p([b]) # => [[9, :b, :c, nil, nil, 6]]
b[-1] = :z
p([b]) # => [[9, :b, :c, nil, nil, :z]]
b[1...1] = [7, 8]
p([b]) # => [[9, 7, 8, :b, :c, nil, nil, :z]]
b[10, 0] = [1]
p([b]) # => [[9, 7, 8, :b, :c, nil, nil, :z, nil, nil, 1]]
b[2..] = []
p([b]) # => [[9, 7]]
b[0, 1] = nil
p([b]) # => [[nil, 7]]
b[0, 2] = b
p([b]) # => [[nil, 7]]
p([nil, t { b[-5] = 1 }, t { b[0, -1] = 1 }, t { b[-9..1] = 1 }, t { b[-9, 1] = 1 }]) # => [nil, [IndexError, "index -5 too small for array; minimum: -2"], [IndexError, "negative length (-1)"], [RangeError, "-9..1 out of range"], [IndexError, "index -9 too small for array; minimum: -2"]]
p([nil, t { [1].freeze[0] = 2 }, t { [1].freeze << 2 }, t { [1].freeze.push }, t { [].freeze.pop }, t { [3, 1].freeze.sort! }]) # => [nil, [FrozenError, "can't modify frozen Array: [1]"], [FrozenError, "can't modify frozen Array: [1]"], [FrozenError, "can't modify frozen Array: [1]"], [FrozenError, "can't modify frozen Array: []"], [FrozenError, "can't modify frozen Array: [3, 1]"]]
c = [1]
p([c.push(2, 3), c << 4, c.append(5), c.pop, c.pop(2), c.shift, c, c.unshift(8, 9), c.prepend(7), c.shift(2), c]) # => [[9, 2], [9, 2], [9, 2], 5, [3, 4], 1, [9, 2], [9, 2], [9, 2], [7, 8], [9, 2]]
p([c.concat([1], [2, 3], c), c.concat, c.insert(1, :x), c.insert(-2, :y, :z), c.insert(12, :end), t { c.insert(-20, 1) }]) # => [[9, :x, 2, 1, 2, 3, 9, :y, :z, 2, nil, nil, :end], [9, :x, 2, 1, 2, 3, 9, :y, :z, 2, nil, nil, :end], [9, :x, 2, 1, 2, 3, 9, :y, :z, 2, nil, nil, :end], [9, :x, 2, 1, 2, 3, 9, :y, :z, 2, nil, nil, :end], [9, :x, 2, 1, 2, 3, 9, :y, :z, 2, nil, nil, :end], [IndexError, "index -20 too small for array; minimum: -14"]]
p([[1, 2].insert(1), [1, 2].insert(-1, 3), t { [1].insert("x", 1) }]) # => [[1, 2], [1, 2, 3], [TypeError, "no implicit conversion of String into Integer"]]
p([[1, 2] + [3], [1, 1, 2, 3, 3] - [1], [1, 1, 2, 3] & [3, 1], [1, 1] | [2, 1], [1, 2] * 2, [1, 2] * ",", [1] * 0]) # => [[1, 2, 3], [2, 3, 3], [1, 3], [1, 2], [1, 2, 1, 2], "1,2", []]
p([nil, t { [1] + nil }, t { [1] * -1 }, t { [1] * (1 << 61) }, t { [1] - 3 }, t { [1] * nil }]) # => [nil, [TypeError, "no implicit conversion of nil into Array"], [ArgumentError, "negative argument"], [ArgumentError, "argument too big"], [TypeError, "no implicit conversion of Integer into Array"], [TypeError, "no implicit conversion from nil to integer"]]
p([[1, 2] <=> [1, 3], [1, 2] <=> [1], [1] <=> [1, 2], [1] <=> ["a"], [1] <=> 3, [] <=> [], [1, 2] == [1, 2.0], [1, 2].eql?([1, 2.0]), [1] == 1]) # => [-1, 1, -1, nil, nil, 0, true, false, false]
p([[1, [2, [3]]] == [1, [2, [3]]], [1, 2].hash == [1, 2].hash, [1, 2].hash == [2, 1].hash, [[1], "a", 2.5].hash == [[1], "a", 2.5].hash, [0.0].hash == [-0.0].hash]) # => [true, true, false, true, true]
r = [1]
r << r
p([r, r == r, r.hash == r.hash, t { r.flatten }, t { r.join }, r <=> r]) # => [[1, [...]], true, true, [ArgumentError, "tried to flatten recursive array"], [ArgumentError, "recursive array join"], 0]
s = [1]
s << s
p([nil, t { r == s }.class]) # => [nil, TrueClass]
p([a.include?(3), a.include?(3.0), a.include?(9), [nil].include?(nil), [[1]].include?([1]), a.member?(2)]) # => [true, true, false, true, true, true]
p([[[1, :a], [2, :b], 3].assoc(2), [[1, :a], [2, :b]].rassoc(:b), [[1]].assoc(9), [].rassoc(1)]) # => [[2, :b], [2, :b], nil, nil]
p([a.reverse, a.rotate, a.rotate(-1), a.rotate(7), a.rotate(0), [].rotate, a.dup.reverse!, a.dup.rotate!(2)]) # => [[5, 4, 3, 2, 1], [2, 3, 4, 5, 1], [5, 1, 2, 3, 4], [3, 4, 5, 1, 2], [1, 2, 3, 4, 5], [], [5, 4, 3, 2, 1], [3, 4, 5, 1, 2]]
p([[nil, 1, false, nil].compact, [1].compact!, [nil].compact!, [1, [2, [3, [4]]]].flatten, [1, [2, [3]]].flatten(1), [1].flatten!, [[1]].flatten!, [1, [2]].flatten(0), [[], [[]]].flatten]) # => [[1, false], nil, [], [1, 2, 3, 4], [1, 2, [3]], nil, [1], [1, [2]], []]
p([[3, 1, 2].sort, %w[b a C].sort, [2.5, 1, 3].sort, [0.5, -1.5].sort, [3, 1, 2].sort { |x, y| y <=> x }, [[2, 1], [1, 2]].sort, [:b, :a].sort, [1].sort, [].sort]) # => [[1, 2, 3], ["C", "a", "b"], [1, 2.5, 3], [-1.5, 0.5], [3, 2, 1], [[1, 2], [2, 1]], [:a, :b], [1], []]
p([nil, t { [1, "a"].sort }, t { [1, nil].sort }, t { [2, 1].sort { nil } }, t { [2, 1].sort { "x" } }, t { [1.0, Float::NAN].sort }, t { [Object.new, 1].sort }.class]) # => [nil, [ArgumentError, "comparison of Integer with String failed"], [ArgumentError, "comparison of Integer with nil failed"], [ArgumentError, "comparison of Integer with 1 failed"], [ArgumentError, "comparison of String with 0 failed"], [ArgumentError, "comparison of Float with NaN failed"], Array]
p([(1..100).to_a.reverse.sort == (1..100).to_a, (1..50).map { |i| [i % 7, i] }.sort { |x, y| x[0] <=> y[0] }.map(&:last).first(5), (1..100).map { |x| (x * 7919) % 101 }.sort.first(5)]) # => [true, [7, 14, 21, 28, 35], [1, 2, 3, 4, 5]]
p([(1..100).map { |x| ((x * 7919) % 101).to_s }.sort.first(5), [2**70, 1, 2**65].sort, [1, 2.5, 0].sort, [3, 1].sort!]) # => [["1", "10", "100", "11", "12"], [1, 36893488147419103232, 1180591620717411303424], [0, 1, 2.5], [1, 3]]
p([[1, [2, [3, nil]], "x", :y].join("-"), [].join, [[], [1, []], []].join(","), [1, 2].join(nil), t { [1].join(1) }]) # => ["1-2-3--x-y", "", ",1,,", "12", [TypeError, "no implicit conversion of Integer into String"]]
p([[1, "a", :b, nil, true, 2.5, [1], "é"].inspect, [].to_s, [1].to_a.equal?(a), a.to_a.equal?(a), a.to_ary.equal?(a), a.entries.equal?(a)]) # => ["[1, \"a\", :b, nil, true, 2.5, [1], \"é\"]", "[]", false, true, true, false]
d = [1, 2, 3, 4, 5]
p([d.slice!(1), d.slice!(1, 2), d.slice!(9), d.slice!(0..0), d, d.slice!(5, 1), d.slice!(1, 1), d.delete_at(0), d.delete_at(0), d]) # => [2, [3, 4], nil, [1], [], nil, [], 5, nil, []]
p([d.clear, d.replace([1, 2]), t { d.replace(1) }, d.empty?, d.length, d.size]) # => [[1, 2], [1, 2], [TypeError, "no implicit conversion of Integer into Array"], false, 2, 2]
p([Array.new, Array.new(2), Array.new(2, 0), Array.new(3) { |i| i * i }, Array.new([1, 2]), t { Array.new(-1) }, t { Array.new("x") }, t { Array.new(1 << 62) }, Array.new(1, nil)]) # => [[], [nil, nil], [0, 0], [0, 1, 4], [1, 2], [ArgumentError, "negative array size"], [TypeError, "no implicit conversion of String into Integer"], [ArgumentError, "array size too big"], [nil]]
p([Array[1, 2], Array.try_convert([1]), Array.try_convert(1), Array(nil), Array([1]), Array(1..3)]) # => [[1, 2], [1], nil, [], [1], [1, 2, 3]]
class Sub < Array; end
p([Sub[1, 2].class, Sub.new(2, 1), Sub[1].to_a.class, Sub[3, 1].sort.class, Sub[1, [2]].flatten.class, Sub[1].dup.class, (Sub[1] + [2]).class, Sub[1, 2][0, 1].class, Sub[1] == [1], (Sub[1] * 2).class]) # => [Sub, [1, 1], Array, Array, Array, Sub, Array, Array, true, Array]
p([[1, 2].union([2, 3], [4]), [1, 1, 2].union, [1, 2, 3].difference([1], [2]), [1, 2, 3].intersection([2, 3], [3]), [1, 2].intersect?([2]), [1].intersect?([]), [1, 1].intersection]) # => [[1, 2, 3, 4], [1, 2], [3], [3], true, false, [1, 1]]
big = (1..40).to_a
p([(big & (30..60).to_a), (big - (3..60).to_a), (big | [1, 99]).size, (big + big).uniq.size, big.union(big).size, big.intersect?([40])]) # => [[30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40], [1, 2], 41, 40, 40, true]
x = Object.new
def x.to_ary = [7, 8]
def x.respond_to_missing?(*) = false
p([[1].concat(x), [1] + x, [[1], x].flatten, [1].replace(x), Array(x), [1, 7] & x, [7, 8] == x]) # => [[1, 7, 8], [1, 7, 8], [1, 7, 8], [7, 8], [7, 8], [7], false]
y = Struct.new(:v) { def ==(o) = true }.new(1)
p([[1].include?(y), [y].include?(1), [y].index(5), [y] == [9]]) # => [true, true, 0, true]
p([a.cycle.first(7), a.min, a.max, a.sum, a.minmax, a.tally, a.dig(0), a.fetch(1), t { a.fetch(9) }, a.fetch(9, :d)]) # => [[1, 2, 3, 4, 5, 1, 2], 1, 5, 15, [1, 5], {1 => 1, 2 => 1, 3 => 1, 4 => 1, 5 => 1}, 1, 2, [IndexError, "index 9 outside of array bounds: -5...5"], :d]
p([a.sample.class, a.shuffle.sort == a, a.sample(3).size, a.sample(99).sort == a, [].sample, [].sample(2), t { a.sample(-1) }, a.shuffle(random: Random.new(1)).size, t { a.shuffle(1) }, t { a.shuffle(foo: 1) }]) # => [Integer, true, 3, true, nil, [], [ArgumentError, "negative sample number"], 5, [ArgumentError, "wrong number of arguments (given 1, expected 0)"], [ArgumentError, "unknown keyword: :foo"]]
p([[1, 2, 3].freeze.map { |z| z + 1 }, [1, 2, 2].uniq!, [1, 2].uniq!, [1, 2, 3].delete(2), [[1, 2], [3, 4]].transpose, [1, 2].product([3, 4]), [1, 2].zip([3, 4])]) # => [[2, 3, 4], [1, 2], nil, 2, [[1, 3], [2, 4]], [[1, 3], [1, 4], [2, 3], [2, 4]], [[1, 3], [2, 4]]]
p([[1, 2, 3].deconstruct, [3, 5].sum { |v| v * 2 }, ["a", "b"].sum(""), [[1], [2]].sum([])]) # => [[1, 2, 3], 16, "ab", [1, 2]]
p([a.frozen?, a.dup.frozen?, a.freeze.frozen?, a.dup.frozen?, a.clone.frozen?, a.clone(freeze: false).frozen?]) # => [false, false, true, false, true, false]
p([[1, 2, 3, 4].bsearch { |v| v >= 3 }, [1, 2].each_slice(1).to_a, [4, 5].each_with_index.to_a, [1, 2, 3].each_cons(2).to_a]) # => [3, [[1], [2]], [[4, 0], [5, 1]], [[1, 2], [2, 3]]]
