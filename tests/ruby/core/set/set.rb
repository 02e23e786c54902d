# Set as a core class (Ruby 4.0 display).

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
s=Set[1,2,3]
p(s) # => Set[1, 2, 3]
p(Set.new) # => Set[]
p(Set.new([1,1])) # => Set[1]
p(Set.new([1,2]){|x|x*2}) # => Set[2, 4]
p(s.size) # => 3
p(s.include?(2)) # => true
p(s===2) # => true
p(s.member?(9)) # => false
p(s.to_a) # => [1, 2, 3]
p(s|[4]) # => Set[1, 2, 3, 4]
p(s+[4]) # => Set[1, 2, 3, 4]
p(s&[2,9]) # => Set[2]
p(s-[1]) # => Set[2, 3]
p(s^[3,4]) # => Set[1, 2, 4]
p(s==Set[3,2,1]) # => true
p(s.eql?(Set[1,2,3])) # => true
p(s.hash==Set[1,2,3].hash) # => true
p(s.subset?(Set[1,2,3,4])) # => true
p(s<=s) # => true
p(s<s) # => false
p(s<Set[1,2,3,4]) # => true
p(s>Set[1]) # => true
p(s>=Set[1]) # => true
p(s.superset?(Set[4])) # => false
p(s.proper_subset?(s)) # => false
p(s<=>Set[1]) # => 1
p(s<=>s) # => 0
p(s<=>Set[7,8,9]) # => nil
p(s<=>1) # => nil
p(s.intersect?(Set[3])) # => true
p(s.disjoint?(Set[3])) # => false
p(s.intersect?([1])) # => true
p(s.add?(1)) # => nil
p(s.dup.add?(9)) # => Set[1, 2, 3, 9]
p(s.dup<<4) # => Set[1, 2, 3, 4]
p(s.dup.delete(1)) # => Set[2, 3]
p(s.dup.delete?(7)) # => nil
p(s.map{|x|x+1}) # => [2, 3, 4]
p(s.select(&:odd?)) # => [1, 3]
p(s.filter{|x|x>1}) # => [2, 3]
p(s.reject(&:odd?)) # => [2]
p(s.partition(&:odd?)) # => [[1, 3], [2]]
p(s.group_by(&:odd?).values) # => [[1, 3], [2]]
p(s.dup.map!{|x|x*10}) # => Set[10, 20, 30]
p(s.dup.select!{|x|x>1}) # => Set[2, 3]
p(s.dup.reject!{false}) # => nil
p(s.dup.delete_if(&:odd?)) # => Set[2]
p(s.dup.keep_if(&:odd?)) # => Set[1, 3]
p(s.first) # => 1
p(s.first(2)) # => [1, 2]
p(s.min) # => 1
p(s.sum) # => 6
p(s.sort_by{|x|-x}) # => [3, 2, 1]
p(s.classify(&:odd?).to_a) # => [[true, Set[1, 3]], [false, Set[2]]]
p(s.divide(&:odd?)) # => Set[Set[1, 3], Set[2]]
p(Set[1,2,4,5,9].divide{|a,b|(a-b).abs==1}) # => Set[Set[1, 2], Set[4, 5], Set[9]]
p(Set[1,Set[2,[3]]].flatten) # => Set[1, 2, [3]]
p(s.join("-")) # => "1-2-3"
p(s.to_set.equal?(s)) # => true
p([1,1,2].to_set) # => Set[1, 2]
p((1..3).to_set) # => Set[1, 2, 3]
p(s.dup.merge([7],[8])) # => Set[1, 2, 3, 7, 8]
p(s.dup.subtract([1,2])) # => Set[3]
p(s.dup.clear) # => Set[]
p(s.empty?) # => false
p(Set[].empty?) # => true
p(s.dup.replace([5])) # => Set[5]
p(s.each{}.equal?(s)) # => true
p(s.each.size) # => 3
p(s.to_s) # => "Set[1, 2, 3]"
p(s.inspect) # => "Set[1, 2, 3]"
p(s.any?{|x|x>2}) # => true
p(s.count) # => 3
p(s.length) # => 3
p(Set[Set[1]].include?(Set[1])) # => true
p(Set["a"].compare_by_identity.include?("a")) # => false
p(s.frozen?) # => false
p(s.freeze.frozen?) # => true
p(s.dup.frozen?) # => false
p(s.superset?(Set[1,2])) # => true
p(Set[3,1,2].sort) # => [1, 2, 3]
p(Set[1,[1]].flatten) # => Set[1, [1]]
p(Set[nil]) # => Set[nil]
p(s.disjoint?([9])) # => true
p(s.union([1])) # => Set[1, 2, 3]
p(s.difference([1])) # => Set[2, 3]
p(s.intersection([1])) # => Set[1]
p(s.each_slice(2).to_a) # => [[1, 2], [3]]
p(s.zip([4])) # => [[1, 4], [2, nil], [3, nil]]
p(s.find{|x|x>1}) # => 2
p(s.inject(:+)) # => 6
e { s<<4 } # => [FrozenError, "can't modify frozen Set: Set[1, 2, 3]"]
e { s.delete(1) } # => [FrozenError, "can't modify frozen Set: Set[1, 2, 3]"]
e { Set.new(5) } # => [ArgumentError, "value must be enumerable"]
e { Set[1].subset?([1]) } # => [ArgumentError, "value must be a set"]
e { Set[1].superset?(1) } # => [ArgumentError, "value must be a set"]
e { Set[1]|5 } # => [ArgumentError, "value must be enumerable"]
e { Set[1].intersect?(3) } # => [ArgumentError, "value must be enumerable"]
x=Set[1]
x<<x
p(x) # => Set[1, Set[...]]
class MySet < Set; end
p(MySet[1,2]) # => #<MySet: {1, 2}>
p(MySet[1].select{true}.class) # => Array
p((MySet[1]|[2]).class) # => MySet
p(Set[1]==MySet[1]) # => true
p(MySet[1].to_set.class) # => Set
e { case 2; when Set[1,2] then :in; end } # => :in
h={Set[1]=>1}
p(h[Set[1]]) # => 1
p(Set[1,2].to_a.frozen?) # => false
p(Set[1.0].include?(1)) # => false
p(Set[*"a".."e"].size) # => 5
