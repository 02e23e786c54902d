# Enumerable over a class with a plain each.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
# odds and ends of Enumerable over a plain each
class W; include Enumerable; def initialize(*a); @a=a; end; def each; @a.each { |x| yield x }; self; end; end
w=W.new(3,1,2)
p(w.sort) # => [1, 2, 3]
p(w.min) # => 1
p(w.max) # => 3
p(w.minmax) # => [1, 3]
p(w.sum) # => 6
p(w.inject(:+)) # => 6
p(w.to_a) # => [3, 1, 2]
p(w.entries) # => [3, 1, 2]
p(w.first) # => 3
p(w.first(2)) # => [3, 1]
p(w.include?(2)) # => true
p(w.sort_by{|x|-x}) # => [3, 2, 1]
p(w.each_slice(2).to_a) # => [[3, 1], [2]]
p(w.each_cons(2).to_a) # => [[3, 1], [1, 2]]
p(w.each_with_index.to_a) # => [[3, 0], [1, 1], [2, 2]]
p(w.map{|x|x*2}) # => [6, 2, 4]
p(w.reject(&:odd?)) # => [2]
p(w.partition(&:odd?)) # => [[3, 1], [2]]
p(w.group_by(&:odd?).to_a) # => [[true, [3, 1]], [false, [2]]]
p(w.min_by{|x|-x}) # => 3
p(w.max(2)) # => [3, 2]
p(w.min(2)) # => [1, 2]
p(w.min_by(2){|x|-x}) # => [3, 2]
p(w.max_by(2){|x|-x}) # => [1, 2]
p(w.minmax_by{|x|-x}) # => [3, 1]
p(w.tally.to_a) # => [[3, 1], [1, 1], [2, 1]]
p(w.uniq) # => [3, 1, 2]
p(w.zip([1,2,3])) # => [[3, 1], [1, 2], [2, 3]]
p(w.zip(1..3,W.new(7,8))) # => [[3, 1, 7], [1, 2, 8], [2, 3, nil]]
p(w.each_entry.to_a) # => [3, 1, 2]
p(w.reverse_each.to_a) # => [2, 1, 3]
p(w.chunk_while{|a,b|b==a+1}.to_a) # => [[3], [1, 2]]
p(w.lazy.map{|x|x+1}.to_a) # => [4, 2, 3]
p(w.cycle.first(5)) # => [3, 1, 2, 3, 1]
p(w.find_index(1)) # => 1
p(w.find_index{|x|x<3}) # => 1
p(w.take_while{|x|x>2}) # => [3]
p(w.drop_while{|x|x>2}) # => [1, 2]
p(w.drop(1)) # => [1, 2]
p(w.take(2)) # => [3, 1]
p(w.filter_map{|x|x if x>1}) # => [3, 2]
p(w.flat_map{|x|[x]*x}) # => [3, 3, 3, 1, 2, 2]
p(w.each_with_object([]){|x,m|m<<x}) # => [3, 1, 2]
p(w.reduce(10){|a,b|a+b}) # => 16
p(w.reduce(1,:*)) # => 6
p(w.count) # => 3
p(w.count(2)) # => 1
p(w.count(&:odd?)) # => 2
p(w.none?) # => false
p(w.one?{|x|x>2}) # => true
p(w.all?(Integer)) # => true
p(w.any?(4)) # => false
p(w.grep(1..2)) # => [1, 2]
p(w.grep(2){|x|x*10}) # => [20]
p(w.grep_v(2)) # => [3, 1]
p(w.chunk(&:odd?).to_a) # => [[true, [3, 1]], [false, [2]]]
p(w.slice_before(1).to_a) # => [[3], [1, 2]]
p(w.slice_after(1).to_a) # => [[3, 1], [2]]
p(w.slice_when{|a,b|a>b}.to_a) # => [[3], [1, 2]]
p(w.sum(0.0)) # => 6.0
p(w.sum{|x|x/2.0}) # => 3.0
p(w.to_h{|x|[x,x]}.size) # => 3
p(w.inject{|a,b|a-b}) # => 0
p(w.chain([9]).to_a) # => [3, 1, 2, 9]
p(w.compact) # => [3, 1, 2]
p(w.each_slice(2).size) # => nil
p(w.map.size) # => nil
p(w.max{|a,b|b<=>a}) # => 1
p(w.min{|a,b|b<=>a}) # => 3
p(w.sort{|a,b|b<=>a}) # => [3, 2, 1]
p(w.tally({3=>1}).to_a) # => [[3, 2], [1, 1], [2, 1]]
p(W.new.max) # => nil
p(W.new.sum) # => 0
p(W.new.inject(:+)) # => nil
p(W.new.minmax) # => [nil, nil]
p(W.new.first) # => nil
p(W.new.minmax_by{|x|x}) # => [nil, nil]
p(W.new(0.1,0.2,0.3).sum) # => 0.6
p(W.new(0.1,0.2,0.3,3).sum) # => 3.6
p(W.new(3r,0.5).sum) # => 3.5
p(W.new("a","b").sum("")) # => "ab"
p(W.new([1],[2]).sum([])) # => [1, 2]
p(W.new(nil,false).none?) # => true
p(W.new(1,nil).all?) # => false
e { w.each_slice(0) } # => [ArgumentError, "invalid slice size"]
e { w.each_cons(0) } # => [ArgumentError, "invalid size"]
e { w.first(-1) } # => [ArgumentError, "attempt to take negative size"]
e { w.take(-1) } # => [ArgumentError, "attempt to take negative size"]
e { w.drop(-1) } # => [ArgumentError, "attempt to drop negative size"]
e { w.zip(5) } # => [TypeError, "wrong argument type Integer (must respond to :each)"]
e { w.inject } # => [ArgumentError, "wrong number of arguments (given 0, expected 1..2)"]
e { w.tally(5) } # => [TypeError, "no implicit conversion of Integer into Hash"]
e { w.to_h } # => [TypeError, "wrong element type Integer (expected array)"]
e { W.new(1,"a").sort } # => [ArgumentError, "comparison of Integer with String failed"]
e { W.new(1,"a").max } # => [ArgumentError, "comparison of String with 1 failed"]
e { w.cycle("a"){} } # => [TypeError, "no implicit conversion of String into Integer"]
e { w.slice_before } # => [ArgumentError, "wrong number of arguments (given 0, expected 1)"]
e { w.chunk{:_b}.to_a } # => [RuntimeError, "symbols beginning with an underscore are reserved"]
e { w.chunk{|x|x==1 ? :_alone : true}.to_a } # => [[true, [3]], [:_alone, [1]], [true, [2]]]
e { w.chunk{|x|x==1 ? nil : true}.to_a } # => [[true, [3]], [true, [2]]]
e { w.sum("a") } # => [TypeError, "no implicit conversion of Integer into String"]
e { w.max(-1) } # => [ArgumentError, "negative size (-1)"]
e { w.find(->{:none}){|x|x>9} } # => :none
e { w.find{|x|x>9} } # => nil
e { w.first("x") } # => [TypeError, "no implicit conversion of String into Integer"]
e { w.inject(1,2,3) } # => [ArgumentError, "wrong number of arguments (given 3, expected 0..2)"]
e { w.tally({3=>:a}) } # => [TypeError, "wrong argument type Symbol (expected Integer)"]
e { w.map.with_index(1).to_a } # => [[3, 1], [1, 2], [2, 3]]
e { w.each_with_index.map{|x,i|x*i} } # => [0, 1, 4]
e { w.each_entry.with_index.select{|x,i|i>0} } # => [[1, 1], [2, 2]]
e { w.min_by.with_index{|x,i|-i} } # => 2
e { w.group_by.with_index{|x,i|i.odd?}.to_a } # => [[false, [3, 2]], [true, [1]]]
e { w.each_with_object(:a).to_a } # => [[3, :a], [1, :a], [2, :a]]
e { w.lazy.select(&:odd?).map{|x|x*2}.first } # => 6
e { w.sort_by.with_index{|x,i|-i} } # => [2, 1, 3]
e { w.reject.with_index{|x,i|i==0} } # => [1, 2]
e { w.partition.with_index{|x,i|i==0} } # => [[3], [1, 2]]
# What names no method is refused even where there is nothing to fold.
[].reduce(Comparable) rescue puts $!.message # => Comparable is not a symbol nor a string
[1].inject(1) rescue puts $!.message # => 1 is not a symbol nor a string
