# Ranges: bounds, steps, membership, endless and beginless ones.
p (1..5).to_a, (1...5).to_a, ("a".."e").to_a, (1..0).to_a
# => [1, 2, 3, 4, 5]
# => [1, 2, 3, 4]
# => ["a", "b", "c", "d", "e"]
# => []
p (1..10).step(3).to_a, 1.step(10, 4).to_a, (0.0..1.0).step(0.5).to_a, (1..10) % 5
# => [1, 4, 7, 10]
# => [1, 5, 9]
# => [0.0, 0.5, 1.0]
# => ((1..10).%(5))
p (1..5).sum, (1..5).size, (1...5.5).size, ("a".."z").count, (1..5).reduce(:*)
# => 15
# => 5
# => 5
# => 26
# => 120
p (1..5).include?(3), (1..5).cover?(2..3), (1..5) === 5, (1...5) === 5, ("a".."z").include?("bb"), ("a".."z").cover?("bb")
# => true
# => true
# => true
# => false
# => false
# => true
p (1..).first(3), (..5).include?(-100), (1..nil).size, (1..) === 1.5
# => [1, 2, 3]
# => true
# => Infinity
# => true
p [1, 2, 3, 4][1..], [1, 2, 3, 4][..1], [1, 2, 3, 4][-2..], "hello"[1..3], "hello"[1...-1]
# => [2, 3, 4]
# => [1, 2]
# => [3, 4]
# => "ell"
# => "ell"
p (1..5).begin, (1...5).end, (1...5).exclude_end?, (1..5).min, (1..5).max, (1...5).max, (1.0..2.5).max
# => 1
# => 5
# => true
# => 1
# => 5
# => 4
# => 2.5
p (1..5).first, (1..5).last(2), (1..5).minmax
# => 1
# => [4, 5]
# => [1, 5]
p (1..5) == (1..5), (1..5).eql?(1..5.0), (1..5).hash == (1..5).hash
# => true
# => false
# => true
p (1..3).inspect, (1...3).to_s, (nil..nil).inspect, (1..), ("a".."c").inspect
# => "1..3"
# => "1...3"
# => "nil..nil"
# => 1..
# => "\"a\"..\"c\""
p (1..10).each_slice(4).to_a, (1..3).each_with_index.to_a, (1..4).each_cons(2).map(&:sum)
# => [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]]
# => [[1, 0], [2, 1], [3, 2]]
# => [3, 5, 7]
begin
  (1.5..3).to_a
rescue TypeError => e
  puts e.message # => can't iterate from Float
end
begin
  (1..) .to_a
rescue RangeError => e
  puts e.message # => cannot convert endless range to an array
end
begin
  1..Object.new
rescue ArgumentError => e
  puts e.message # => bad value for range
end
p (1..3).frozen?, Range.new(1, 3, true)
# => true
# => 1...3
p ("A".."C").map(&:downcase), (1..20).find { |x| x % 7 == 0 }, ("az".."bc").to_a
# => ["a", "b", "c"]
# => 7
# => ["az", "ba", "bb", "bc"]
p (1..3).reverse_each.to_a, (1..6).select(&:even?), (1..3).cycle.first(5)
# => [3, 2, 1]
# => [2, 4, 6]
# => [1, 2, 3, 1, 2]
a = [5, 6, 7, 8]
a[1..2] = [:x]
p a # => [5, :x, 8]
p (1..10).bsearch { |x| x >= 7 }, (0..4).to_a.values_at(1, 3..9)
# => 7
# => [1, 3, 4, nil, nil, nil, nil, nil]
x = 7
puts case x when ..5 then "low" when 6..8 then "mid" else "high" end # => mid
p rand(1..1) # => 1
p 15.clamp(..10), -1.clamp(0..), 5.clamp(1, 3)
# => 10
# => 0
# => 3
