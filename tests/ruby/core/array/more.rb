# More of sorting, filling, sums and early exits.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
e { [3,1,2].sort_by{|x|[x,1]} } # => [1, 2, 3]
e { [3,1,2].sort_by!{|x|-x} } # => [3, 2, 1]
e { [[1,:a],[1,:b]].sort_by(&:first) } # => [[1, :a], [1, :b]]
e { [1,2.5,0].sort_by{|x|x} } # => [0, 1, 2.5]
e { [1,nil].sort_by{|x|x} } # => [ArgumentError, "comparison of Integer with nil failed"]
e { ["b",:a].sort_by{|x|x} } # => [ArgumentError, "comparison of String with :a failed"]
e { (1..50).to_a.shuffle(random: Random.new(1)).sort_by{|x|x.to_f}==(1..50).to_a } # => true
e { (1..50).to_a.shuffle(random: Random.new(1)).sort_by{|x|[x]}==(1..50).to_a } # => true
e { [].sort_by{1} } # => []
e { [2**70,1].sort_by{|x|x} } # => [1, 1180591620717411303424]
e { [0.0/0,1.0].sort_by{|x|x} } # => [ArgumentError, "comparison of Float with 1.0 failed"]
e { [1,2,3].each_with_index(1) } # => #<Enumerator: [1, 2, 3]:each_with_index(1)>
e { [1,2,3,4].each_slice(2).map(&:sum) } # => [3, 7]
e { [1,2].cycle.lazy.map{|x|x+1}.first(3) } # => [2, 3, 2]
e { [1,2,3].product([1,2],[3]).size } # => 6
e { [1,2].product{} } # => [1, 2]
e { [1,2,3].permutation(2).map(&:sum).tally.to_a } # => [[3, 2], [4, 2], [5, 2]]
e { (1..4).to_a.combination(2).count } # => 6
e { [1,2,3].combination(2){|a| break a} } # => [1, 2]
e { [1,2].permutation(-1).to_a } # => []
e { [1,2].repeated_permutation(0).to_a } # => [[]]
e { [].product([1]) } # => []
e { [1].fill(1,2**62) } # => [1]
e { [1].fill(0,0,-1) } # => [1]
e { [1,2].fill("x"){} } # => [TypeError, "no implicit conversion of String into Integer"]
e { [1,2,3].fill(-1){|i|i+10} } # => [1, 2, 12]
e { [1,2,3].fill(1,1){|i|i+10} } # => [1, 11, 3]
e { "a".upto("e").to_a } # => ["a", "b", "c", "d", "e"]
e { "a".upto("e",true).to_a } # => ["a", "b", "c", "d"]
e { "9".upto("11").to_a } # => ["9", "10", "11"]
e { "25".upto("5").to_a } # => []
e { "07".upto("11").to_a } # => ["07", "08", "09", "10", "11"]
e { "a".upto(1){} } # => [TypeError, "no implicit conversion of Integer into String"]
e { "zz".upto("aab").to_a } # => []
e { "b".upto("a").to_a } # => []
e { "".upto("b").to_a } # => [""]
e { "1.48".upto("1.55").to_a } # => ["1.48", "1.49", "1.50", "1.51", "1.52", "1.53", "1.54", "1.55"]
e { [1,2,3].lazy.map{|x|x*2}.each{|x| x}.class } # => NilClass
e { (1..3).lazy.force } # => [1, 2, 3]
e { (1..3).each_with_index.with_index(1).to_a } # => [[[1, 0], 1], [[2, 1], 2], [[3, 2], 3]]
e { [1,2,3].each.with_object([]).each{|x,m| m<<x} } # => [1, 2, 3]
e { (1..3).sum{|x|x.to_f} } # => 6.0
e { [0.1,0.2,0.3].sum==0.6 } # => true
e { [1e100,1.0,-1e100].sum } # => 1.0
e { [0.1]*3==[0.1,0.1,0.1] } # => true
e { [3.0,5].sum } # => 8.0
e { [1,2r].sum } # => (3/1)
e { [2,1i].sum } # => (2+1i)
e { [1,Float::NAN].sum.nan? } # => true
e { [0.3,0.3,0.3].sum{|x|x} } # => 0.8999999999999999
e { [].sum("") } # => ""
e { ["a"].sum } # => [TypeError, "String can't be coerced into Integer"]
h={1=>2}
e { h.each{|k,v| h.delete(k)}.size } # => 0
e { h.any? } # => false
e { h.min_by{|k,v|v} } # => nil
e { h.sum{|k,v|v} } # => 0
e { catch(:x){[1,2].each{|v| throw :x, v}} } # => 1
e { [1,2,3].each{|x| break x*2 if x==2} } # => 4
e{[[1,[2,3]]].each{|a,(b,c)| p [a,b,c]}.size} if false
e { [1,2,3,4].min(2) } # => [1, 2]
e { [1,2,3,4].max(2){|a,b|b<=>a} } # => [1, 2]
e { [4,2].minmax{|a,b|b<=>a} } # => [4, 2]
e { %w[aa b].max_by(&:size) } # => "aa"
e { %w[aa b].minmax_by(&:size) } # => ["b", "aa"]
e { [1,2,3].inject(:-) } # => -4
e { [1,2].inject{} } # => nil
e { [1,2].inject(nil){|a,b|b} } # => 2
e{[1,2].inject(:foo)}  if false
