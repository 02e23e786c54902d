# Range: iteration, membership, extremes, steps, search.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
e { (1..).to_a } # => [RangeError, "cannot convert endless range to an array"]
e { (1..).last } # => [RangeError, "cannot get the last element of endless range"]
e { (..1).first } # => [RangeError, "cannot get the first element of beginless range"]
e { (..1).each{} } # => [TypeError, "can't iterate from NilClass"]
e { (1.0..2.0).each{} } # => [TypeError, "can't iterate from Float"]
e { (1..).max } # => [RangeError, "cannot get the maximum of endless range"]
e { (..1).min } # => [RangeError, "cannot get the minimum of beginless range"]
e { (1...1.5).max } # => [TypeError, "cannot exclude non Integer end value"]
e { (1.0...2.0).max } # => [TypeError, "cannot exclude non Integer end value"]
e { (1..2.5).max } # => 2.5
e { (1...3).max } # => 2
e { (3..1).max } # => nil
e { ("a".."c").max } # => "c"
e { ("a"..."c").max } # => "b"
e { (1..3).max(2) } # => [3, 2]
e { (1..).min } # => 1
e { (..3).minmax } # => [RangeError, "cannot get the minimum of beginless range"]
e { (1..).minmax } # => [RangeError, "cannot get the maximum of endless range"]
e { (1..3.5).minmax } # => [1, 3.5]
e { (1.0..2.0).minmax } # => [1.0, 2.0]
e { (1...2.0).max } # => [TypeError, "cannot exclude non Integer end value"]
e { (..3).max{} } # => [RangeError, "cannot get the maximum of beginless range with custom comparison method"]
e { (1..).min(2) } # => [1, 2]
e { (1..).min{} } # => [RangeError, "cannot get the minimum of endless range with custom comparison method"]
e { (1..3).sum } # => 6
e { (1...1).sum } # => 0
e { (1..3).sum(0.5) } # => 6.5
e { (1..3).sum{|x|x*2} } # => 12
e { ("a".."c").sum("") } # => "abc"
e { (1..3.5).sum } # => 6
e { (1..).size } # => Infinity
e { (1..2.5).size } # => 2
e { ("a".."c").size } # => nil
e { (1...2.0).size } # => 1
e { (3..1).size } # => 0
e { (1..).count } # => Infinity
e { (..1).count } # => Infinity
e { (1..3).count(2) } # => 1
e { (1..3).count(&:odd?) } # => 2
e { ("a".."c").count } # => 3
e { (1..3).step(0) } # => [ArgumentError, "step can't be 0"]
e { (1..3).step(-1).to_a } # => []
e { ("a".."e").step(2).to_a } # => ["a", "c", "e"]
e { ("a".."e").step(2) } # => #<Enumerator: "a".."e":step(2)>
e { ("a".."e").step(0){} } # => "a".."e"
e { (1..3).step(0){} } # => [ArgumentError, "step can't be 0"]
e { (1.0..2.0).step(0.5).to_a } # => [1.0, 1.5, 2.0]
e { (1..).step(5).first(2) } # => [1, 6]
e { (1..3)%2 } # => ((1..3).%(2))
e { (1..10).bsearch{|x|x>=4} } # => 4
e { (0.0..10.0).bsearch{|x|x>=2.5} } # => 2.5
e { (0..).bsearch{|x|x>=1000} } # => 1000
e { (..0).bsearch{|x|x>=-1000} } # => -1000
e { ("a".."c").bsearch{} } # => [TypeError, "can't do binary search for String"]
e { (1..2).bsearch{"a"} } # => [TypeError, "wrong argument type String (must be numeric, true, false or nil)"]
e { (0.0..Float::INFINITY).bsearch{|x|Math.log(x)>=0} } # => 1.0
e { (1...3).bsearch{|x| 3<=>x} } # => nil
e { (0..4.5).bsearch{|x|x>=2} } # => 2.0
e { (0.0...1.0).bsearch{|x| x>=1} } # => nil
e { (-5.0..5.0).bsearch{|x| x>=-1.25} } # => -1.25
e { (-5.0..5.0).bsearch{|x| 0<=>x} } # => 0.0
e { (0..100).bsearch{|x| 37<=>x} } # => 37
e { (0..nil).bsearch{|x| 3700<=>x} } # => 3700
e { (1..3).include?(2.5) } # => true
e { ("a".."c").include?("bb") } # => false
e { ("a".."c").cover?("bb") } # => true
e { ("a".."c")==="bb" } # => true
e { (1..3)===2.5 } # => true
e { (1..).include?(5) } # => true
e { (..5).include?(3) } # => true
e { ("a".."c").include?("b") } # => true
e { (1..5).cover?(2..3) } # => true
e { (1..5).cover?(2...6) } # => true
e { (1...5).cover?(2..4) } # => true
e { (1..5).cover?(0..3) } # => false
e { (1..).cover?(2..) } # => true
e { (1..5).cover?(3..2) } # => false
e { (1.0..5.0).cover?(2...5) } # => true
e { (nil..nil).cover?(1) } # => true
e { (1..5).cover?(2.0...5.5) } # => false
e { (1..5).cover?(1...6) } # => true
e { (1.0..2.0).include?(1.5) } # => true
e { ("a".."z").include?(nil) } # => false
e { (1..3).first } # => 1
e { (1..3).first(2) } # => [1, 2]
e { (1..3).last } # => 3
e { (1...3).last } # => 3
e { (1...3).last(1) } # => [2]
e { (1..3).last(2) } # => [2, 3]
e { (1..3).first(-1) } # => [ArgumentError, "negative array size (or size too big)"]
e { (1..3).last(-1) } # => [ArgumentError, "negative array size"]
e { ("a".."c").first(2) } # => ["a", "b"]
e { (1.0..2.0).first } # => 1.0
e { (1.0..2.0).first(1) } # => [TypeError, "can't iterate from Float"]
e { (1..).first(2) } # => [1, 2]
e { (..3).last(2) } # => [2, 3]
e { (1.0..2.0).to_a } # => [TypeError, "can't iterate from Float"]
e { (1..nil).inspect } # => "1.."
e { (nil..1).inspect } # => "..1"
e { (nil..nil).inspect } # => "nil..nil"
e { (nil..nil).to_s } # => ".."
e { ("a".."b").to_s } # => "a..b"
e { (1..2).eql?(1..2.0) } # => false
e { (1..2)==(1..2.0) } # => true
e { (1..2).hash==(1..2).hash } # => true
e { (1..2)==3 } # => false
e { (1..2).hash==(1...2).hash } # => false
e { ("08".."11").to_a } # => ["08", "09", "10", "11"]
e { (:a..:c).to_a } # => [:a, :b, :c]
e { ("A".."zz").count } # => 702
e { ("a"...).first(2) } # => ["a", "b"]
e { ("b".."a").to_a } # => []
e { ("a"..."a").to_a } # => []
e { ("9".."11").to_a } # => ["9", "10", "11"]
e { (1...3.5).to_a } # => [1, 2, 3]
e { (1..2**65).first(1) } # => [1]
e { ((2**64)..(2**64+2)).to_a } # => [18446744073709551616, 18446744073709551617, 18446744073709551618]
e { (1..3).reverse_each.first(2) } # => [3, 2]
e { (1..3).each.size } # => 3
e { ("a".."c").each.size } # => nil
e { (1..3).reverse_each.size } # => 3
e { ("a".."c").each_slice(2).to_a } # => [["a", "b"], ["c"]]
e { (3..1).minmax } # => [nil, nil]
e { (1..3).min{|a,b|b<=>a} } # => 3
e { (1..3).minmax{|a,b|b<=>a} } # => [3, 1]
e { (1..3).min(2) } # => [1, 2]
e { (1.5..3).min } # => 1.5
e { (1...1).min } # => nil
e { (1.5...1.5).min } # => nil
e { (0.5..2.5).each } # => #<Enumerator: 0.5..2.5:each>
e { (1..4).inject(:+) } # => 10
e { (1..4).inject{|a,b|a*b} } # => 24
e { (1..4).map{|x|x*2} } # => [2, 4, 6, 8]
e { (1..4).select(&:even?) } # => [2, 4]
e { (1..4).reject(&:even?) } # => [1, 3]
e { (1..4).each_with_index.to_a } # => [[1, 0], [2, 1], [3, 2], [4, 3]]
e { (1..4).each_with_index.map{|x,i|x*i} } # => [0, 2, 6, 12]
e { (1..4).each_slice(3).to_a } # => [[1, 2, 3], [4]]
e { (1..4).all?{|x|x>0} } # => true
e { (1..4).find{|x|x>2} } # => 3
e { (1..4).each_with_object([]){|x,m|m<<x} } # => [1, 2, 3, 4]
e { (1...4).to_a } # => [1, 2, 3]
e { [*1..3] } # => [1, 2, 3]
e { (1..4).filter_map{|x|x if x>2} } # => [3, 4]
e { (1..4).flat_map{|x|[x]*2} } # => [1, 1, 2, 2, 3, 3, 4, 4]
e { (1..4).any? } # => true
e { (1...1).any? } # => false
e { (1..4).each_cons(2).to_a } # => [[1, 2], [2, 3], [3, 4]]
e { (1..4).inject(10){|a,b|a+b} } # => 20
e { (1..4).inject(10,:+) } # => 20
class Xs; include Comparable; attr :n; def initialize(n) @n=n; end; def succ; Xs.new(@n+1); end; def <=>(o) @n<=>o.n; end; def inspect; "x"*@n; end; end
e { (Xs.new(1)..Xs.new(3)).to_a } # => [x, xx, xxx]
e { (Xs.new(1)...Xs.new(3)).to_a } # => [x, xx]
e { (Xs.new(1)..Xs.new(3)).include?(Xs.new(2)) } # => true
e { (Xs.new(1)..Xs.new(3)).max } # => xxx
e { (Xs.new(1)..Xs.new(3)).reverse_each.to_a } # => [xxx, xx, x]
e { (Xs.new(1)..Xs.new(3)).size } # => nil
e { (Xs.new(1)..Xs.new(3)).last(2) } # => [xx, xxx]
