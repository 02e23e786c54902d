# Arrays: access, change, iteration and combination.
a = [1, 2, 3, 4, 5]
p a[0], a[-1], a[5], a[1, 2], a[1..], a[5, 1], a[6, 1], a.first(2), a.last(2), a.values_at(0, -1, 9), a.dig(0), a.fetch(1), a.fetch(9, :d), a.at(2), a.take(2), a.drop(3), a.sample.class
# => 1
# => 5
# => nil
# => [2, 3]
# => [2, 3, 4, 5]
# => []
# => nil
# => [1, 2]
# => [4, 5]
# => [1, 5, nil]
# => 1
# => 2
# => :d
# => 3
# => [1, 2]
# => [4, 5]
# => Integer
b = a.dup
b << 6
b.push(7, 8).unshift(0)
p b, b.pop, b.shift, b.pop(2), b.insert(2, :x), b.delete(:x), b.delete_at(0), b.delete_if(&:even?), b.concat([9], [10]), b.clear, a
# => []
# => 8
# => 0
# => [6, 7]
# => []
# => :x
# => 1
# => []
# => []
# => []
# => [1, 2, 3, 4, 5]
b[5] = 1
p b, b.compact, b.index(1), Array.new(2, 0), Array.new(3) { |i| i * i }, Array(nil), Array([1]), Array(1..3), Array("a"), [0] * 3, %w[a b] * ","
# => [nil, nil, nil, nil, nil, 1]
# => [1]
# => 5
# => [0, 0]
# => [0, 1, 4]
# => []
# => [1]
# => [1, 2, 3]
# => ["a"]
# => [0, 0, 0]
# => "a,b"
p a.map { |x| x * 2 }, a.each_slice(2).to_a, a.each_cons(4).to_a, a.partition(&:even?), a.group_by(&:odd?).values, a.inject(:+), a.zip(a.rotate), a.each_with_index.select { |x, i| i > 3 }, a.reverse, a.rotate(2), a.minmax, a.sum, a.cycle(2).to_a.size, a.each_entry.to_a.size
# => [2, 4, 6, 8, 10]
# => [[1, 2], [3, 4], [5]]
# => [[1, 2, 3, 4], [2, 3, 4, 5]]
# => [[2, 4], [1, 3, 5]]
# => [[1, 3, 5], [2, 4]]
# => 15
# => [[1, 2], [2, 3], [3, 4], [4, 5], [5, 1]]
# => [[5, 4]]
# => [5, 4, 3, 2, 1]
# => [3, 4, 5, 1, 2]
# => [1, 5]
# => 15
# => 10
# => 5
p [3, 1, 2].sort, [3, 1, 2].sort { |x, y| y <=> x }, %w[bb a ccc].sort_by(&:size), %w[b a].max, [1, 2, 3, 4].max(2), [[2, :b], [1, :a]].sort, [1, nil, 2].compact, [1, [2, [3, [4]]]].flatten, [1, [2, [3]]].flatten(1), [1, 1, 2].uniq, %w[a A b].uniq(&:downcase), [3, 5].include?(5)
# => [1, 2, 3]
# => [3, 2, 1]
# => ["a", "bb", "ccc"]
# => "b"
# => [4, 3]
# => [[1, :a], [2, :b]]
# => [1, 2]
# => [1, 2, 3, 4]
# => [1, 2, [3]]
# => [1, 2]
# => ["a", "b"]
# => true
p [1, 2] + [3], [1, 2, 2, 3] - [2], [1, 2, 3] & [3, 1], [1, 2] | [2, 3], [1, 2] <=> [1, 3], [1, 2] == [1, 2.0], [[1, 2], [3, 4]].transpose, [1, 2].product([3, 4]), [1, 2, 3].combination(2).to_a, [1, 2, 3].permutation(2).count, [1, 2].each_with_object([]).to_a.size
# => [1, 2, 3]
# => [1, 3]
# => [1, 3]
# => [1, 2, 3]
# => -1
# => true
# => [[1, 3], [2, 4]]
# => [[1, 3], [1, 4], [2, 3], [2, 4]]
# => [[1, 2], [1, 3], [2, 3]]
# => 6
# => 2
p a.find { |x| x > 2 }, a.find_index { |x| x > 2 }, a.select.with_index { |x, i| i.even? }, a.reject(&:odd?), a.take_while { |x| x < 3 }, a.drop_while { |x| x < 3 }, a.all?(Integer), a.any? { |x| x > 4 }, a.none?(9), a.one?(1), a.count(&:even?), a.tally.size, a.each_slice(2).map(&:sum), a.chunk_while { |x, y| y == x + 1 }.to_a, a.slice_when { |x, y| y.odd? }.to_a
# => 3
# => 2
# => [1, 3, 5]
# => [2, 4]
# => [1, 2]
# => [3, 4, 5]
# => true
# => true
# => true
# => true
# => 2
# => 5
# => [3, 7, 5]
# => [[1, 2, 3, 4, 5]]
# => [[1, 2], [3, 4], [5]]
c = [1, 2, 3, 4]
c[1..2] = [:a, :b, :c]
p c, c.slice!(1, 2), c, c.fill(0), c.fill { |i| i }, c.replace([9]), [1, 2, 3].map!(&:to_s), [3, 1].sort!, [1, 2, 3].select!(&:odd?), [1].select!(&:odd?), [1, 1].uniq!, [1].uniq!, [[1]].flatten!, [nil].compact!, [1, 2].reverse!, [1, 2, 3].keep_if { |x| x > 1 }
# => [9]
# => [:a, :b]
# => [9]
# => [9]
# => [9]
# => [9]
# => ["1", "2", "3"]
# => [1, 3]
# => [1, 3]
# => nil
# => [1]
# => nil
# => [1]
# => []
# => [2, 1]
# => [2, 3]
p [1, 2, 3].first, [].first, [].last, [].max, [].sum, [].inject(:+), [].sample, [nil, false].none?, [1, [2]].to_s, [1, "a", :b, nil, 2.0].inspect, [1, 2].join("-"), [1, [2, [3]]].join(","), [].join, ["a", 1].pack("A3C").bytes, [1, 2].hash == [1, 2].hash
# => 1
# => nil
# => nil
# => nil
# => 0
# => nil
# => nil
# => true
# => "[1, [2]]"
# => "[1, \"a\", :b, nil, 2.0]"
# => "1-2"
# => "1,2,3"
# => ""
# => [97, 32, 32, 1]
# => true
p [1, 2, 3, 4, 5].bsearch { |x| x >= 3 }, [1, 2, 3].lazy.map { |x| x + 1 }.first(2), [0.1] * 3 == [0.1, 0.1, 0.1], [0.1, 0.2, 0.3].sum, [1, 2.5].sum, %w[a b].sum(""), [[1], [2]].sum([]), %w[x y z].each_with_index.to_h.to_a, [1, 2, 3].filter_map { |x| x * 2 if x.odd? }, [5, 3].minmax, [1, 2, 3, 4].each_slice(2).to_h.to_a, [3, 1, 2].max_by { |x| -x }, %w[a b c].each_cons(2).map(&:join)
# => 3
# => [2, 3]
# => true
# => 0.6
# => 3.5
# => "ab"
# => [1, 2]
# => [["x", 0], ["y", 1], ["z", 2]]
# => [2, 6]
# => [3, 5]
# => [[1, 2], [3, 4]]
# => 1
# => ["ab", "bc"]
x = [1]
x << x
p x, x.inspect, x == x, [1, 2].frozen?, [[1, 2], [3]].sum(&:size), ["b", "B", "a"].sort_by { |s| [s.downcase, s] }
# => [1, [...]]
# => "[1, [...]]"
# => true
# => false
# => 3
# => ["a", "B", "b"]
begin
  [1, 2].first(-1)
rescue ArgumentError => e
  puts e.message # => negative array size
end
begin
  [1, "a"].sort
rescue ArgumentError => e
  puts e.message # => comparison of Integer with String failed
end
begin
  [1, 2].fetch(5)
rescue IndexError => e
  puts e.message # => index 5 outside of array bounds: -2...2
end

# Of an empty hash that ** gives nothing is left.
none = {}
p [1, **none], [**none], [*[1, 2], **none], [**none, **none], [1, **{ a: 2 }], [1, a: 2, **none], [1, {}]
# => [1]
# => []
# => [1, 2]
# => []
# => [1, {a: 2}]
# => [1, {a: 2}]
# => [1, {}]
