# Hash iteration, filtering and transformation.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
h={a: 1,b: 2,c: 3}
e { h.each_pair.to_a } # => [[:a, 1], [:b, 2], [:c, 3]]
e { h.each_value.to_a } # => [1, 2, 3]
e { h.map{|k,v|[k,v*2]} } # => [[:a, 2], [:b, 4], [:c, 6]]
e { h.select{|k,v|v>1}.to_a } # => [[:b, 2], [:c, 3]]
e { h.reject{|k,v|v>1}.to_a } # => [[:a, 1]]
e { h.filter_map{|k,v|k if v>1} } # => [:b, :c]
e { h.partition{|k,v|v>1} } # => [[[:b, 2], [:c, 3]], [[:a, 1]]]
e { h.group_by{|k,v|v.odd?}.to_a } # => [[true, [[:a, 1], [:c, 3]]], [false, [[:b, 2]]]]
e { h.min_by{|k,v|-v} } # => [:c, 3]
e { h.max_by{|k,v|-v} } # => [:a, 1]
e { h.sort_by{|k,v|-v} } # => [[:c, 3], [:b, 2], [:a, 1]]
e { h.sum{|k,v|v} } # => 6
e { h.find{|k,v|v==2} } # => [:b, 2]
e { h.all?{|k,v|v>0} } # => true
e { h.any?{|k,v|v>2} } # => true
e { h.none? } # => false
e { h.count } # => 3
e { h.count{|k,v|v>1} } # => 2
e { h.to_h{|k,v|[v,k]}.to_a } # => [[1, :a], [2, :b], [3, :c]]
e { h.transform_values{|v|v+1}.to_a } # => [[:a, 2], [:b, 3], [:c, 4]]
e { h.transform_keys(&:to_s).to_a } # => [["a", 1], ["b", 2], ["c", 3]]
e { h.transform_keys({a: :x}).to_a } # => [[:x, 1], [:b, 2], [:c, 3]]
e { h.transform_keys({a: :x}){|k|k.to_s}.to_a } # => [[:x, 1], ["b", 2], ["c", 3]]
e { h.invert.to_a } # => [[1, :a], [2, :b], [3, :c]]
e { h.merge({a: 5,d: 6}){|k,o,n|o+n}.to_a } # => [[:a, 6], [:b, 2], [:c, 3], [:d, 6]]
e { h.merge.to_a } # => [[:a, 1], [:b, 2], [:c, 3]]
e { h.merge({z: 1},{y: 2}).to_a } # => [[:a, 1], [:b, 2], [:c, 3], [:z, 1], [:y, 2]]
e { h.each_with_index.map{|(k,v),i|[k,v,i]} } # => [[:a, 1, 0], [:b, 2, 1], [:c, 3, 2]]
e { h.each_with_object([]){|(k,v),m|m<<k} } # => [:a, :b, :c]
e { h.inject{|a,b|a+b} } # => [:a, 1, :b, 2, :c, 3]
e { h.reduce(0){|s,(k,v)|s+v} } # => 6
e { h.fetch(:a) } # => 1
e { h.fetch(:zz) } # => [KeyError, "key not found: :zz"]
e { h.fetch(:zz,1) } # => 1
e { h.fetch(:zz){|k|k} } # => :zz
e { h.fetch_values(:a,:b) } # => [1, 2]
e { h.fetch_values(:zz) } # => [KeyError, "key not found: :zz"]
e { {a: {b: [1,2]}}.dig(:a,:b,1) } # => 2
e { {a: 1}.dig(:a,:b) } # => [TypeError, "Integer does not have #dig method"]
e { h.flat_map{|k,v|[k]*v} } # => [:a, :b, :b, :c, :c, :c]
e { h.zip([1,2]) } # => [[[:a, 1], 1], [[:b, 2], 2], [[:c, 3], nil]]
e { h.each_slice(2).to_a } # => [[[:a, 1], [:b, 2]], [[:c, 3]]]
e { h.first } # => [:a, 1]
e { h.first(2) } # => [[:a, 1], [:b, 2]]
e { h.to_a } # => [[:a, 1], [:b, 2], [:c, 3]]
e { h.sort{|a,b|b<=>a} } # => [[:c, 3], [:b, 2], [:a, 1]]
e { h.min_by(2){|k,v|v} } # => [[:a, 1], [:b, 2]]
e { h.each_entry.to_a } # => [[:a, 1], [:b, 2], [:c, 3]]
e { h.uniq{|k,v|v.odd?} } # => [[:a, 1], [:b, 2]]
e { h.tally.size } # => 3
e { g=h.dup; g.delete_if{|k,v|v==2}; g.to_a } # => [[:a, 1], [:c, 3]]
e { g=h.dup; [g.reject!{|k,v|false}, g.select!{|k,v|v<3}.to_a, g.keep_if{|k,v|v==1}.to_a, g.filter!{true}] } # => [nil, [[:a, 1], [:b, 2]], [[:a, 1]], nil]
e { g=h.dup; g.transform_values!{|v|v*2}; g.to_a } # => [[:a, 2], [:b, 4], [:c, 6]]
e { g=h.dup; g.transform_keys!{|k|k.to_s}; g.to_a } # => [["a", 1], ["b", 2], ["c", 3]]
e { g={a: 1,b: 2,c: 3}; g.transform_keys!({a: :b, b: :c, c: :a}); g.to_a } # => [[:b, 1], [:c, 2], [:a, 3]]
e { g={1=>:a,2=>:b,3=>:c}; g.transform_keys!(&:succ); g.to_a } # => [[2, :a], [3, :b], [4, :c]]
e { g=h.dup; g.merge!({x: 1},{y: 2}).to_a } # => [[:a, 1], [:b, 2], [:c, 3], [:x, 1], [:y, 2]]
e { h.merge(1) } # => [TypeError, "no implicit conversion of Integer into Hash"]
e { h.merge(nil) } # => [TypeError, "no implicit conversion of nil into Hash"]
e { h.to_h{1} } # => [TypeError, "wrong element type Integer (expected array)"]
e { h.to_h{[1]} } # => [ArgumentError, "element has wrong array length (expected 2, was 1)"]
e { h.any?([:a,1]) } # => true
e { h.count([:a,1]) } # => 1
e { {}.any? } # => false
e { {}.sum } # => 0
e { h.select.with_index{|(k,v),i|i>0}.to_a } # => [[:b, 2], [:c, 3]]
e { h.map.with_index{|(k,v),i|[k,i]} } # => [[:a, 0], [:b, 1], [:c, 2]]
e { h.each.with_index(1).map{|(k,v),i|i} } # => [1, 2, 3]
e { h.sum([]){|k,v|[v]} } # => [1, 2, 3]
e { h.each_cons(2).to_a } # => [[[:a, 1], [:b, 2]], [[:b, 2], [:c, 3]]]
e { h.find_all{|k,v|v>1} } # => [[:b, 2], [:c, 3]]
e { h.filter{|k|k==:a}.to_a } # => [[:a, 1]]
e { h.detect{|k,v|v>1} } # => [:b, 2]
e { h.find_index([:b,2]) } # => 1
e { h.cycle.first(4) } # => [[:a, 1], [:b, 2], [:c, 3], [:a, 1]]
e { h.reverse_each.first } # => [:c, 3]
e { h.minmax_by{|k,v|v} } # => [[:a, 1], [:c, 3]]
e { h.inject{|(a,b),(c,d)|[a,d]} } # => [:a, 3]
e { h.map(&:first) } # => [:a, :b, :c]
e { h.map{|x|x} } # => [[:a, 1], [:b, 2], [:c, 3]]
e { h.transform_values.with_index{|v,i|[v,i]}.to_a } # => [[:a, [1, 0]], [:b, [2, 1]], [:c, [3, 2]]]
class H2<Hash;end
e { H2[1,2].to_h.class } # => Hash
e { H2[1,2].select{true}.class } # => Hash
e { H2[1,2].merge({}).class } # => H2
e { {a: 1}.to_h.class } # => Hash
e { i={}.compare_by_identity; i["a"]=1; [i.select{true}.compare_by_identity?, i.transform_values{1}.compare_by_identity?, i.to_a.to_h.compare_by_identity?,i.reject{true}.compare_by_identity?] } # => [true, true, false, true]
