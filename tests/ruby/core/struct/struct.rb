# Struct: construction, access, comparison, pattern matching.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
S=Struct.new(:a,:b){def sum;a+b;end}
s=S.new(1,2)
e { s } # => #<struct S a=1, b=2>
e { s.sum } # => 3
e { s.to_a } # => [1, 2]
e { s.to_h.to_a } # => [[:a, 1], [:b, 2]]
e { s[0] } # => 1
e { s[:b] } # => 2
e { s["a"] } # => 1
e { s[5] } # => [IndexError, "offset 5 too large for struct(size:2)"]
e { s[-3] } # => [IndexError, "offset -3 too small for struct(size:2)"]
e { s[:a]=5; s } # => #<struct S a=5, b=2>
e { s==S.new(5,2) } # => true
e { s.eql?(S.new(5,2.0)) } # => false
e { s.hash==S.new(5,2).hash } # => true
e { s.members } # => [:a, :b]
e { S.members } # => [:a, :b]
e { s.each.to_a } # => [5, 2]
e { s.each_pair.to_a } # => [[:a, 5], [:b, 2]]
e { s.values_at(0,1) } # => [5, 2]
e { s.values_at(3) } # => [IndexError, "offset 3 too large for struct(size:2)"]
e { s.dig(:a) } # => 5
e { S.new([1,[2]]).dig(:a,1,0) } # => 2
e { s.deconstruct } # => [5, 2]
e { s.deconstruct_keys([:a]).to_a } # => [[:a, 5]]
e { s.deconstruct_keys(nil).to_a } # => [[:a, 5], [:b, 2]]
e { s.deconstruct_keys(1) } # => [TypeError, "wrong argument type Integer (expected Array or nil)"]
e { s.select(&:odd?) } # => [5]
e { s.size } # => 2
e { S.new(1,2,3) } # => [ArgumentError, "struct size differs"]
e { S.new(1) } # => #<struct S a=1, b=nil>
e { S.new } # => #<struct S a=nil, b=nil>
e { d=s.dup; d.a=100; [s.a,d.a] } # => [5, 100]
e { s.freeze; s.a=1 } # => [FrozenError, "can't modify frozen S: #<struct S a=5, b=2>"]
e { S[1,2] } # => #<struct S a=1, b=2>
e { s.inspect } # => "#<struct S a=5, b=2>"
e { Struct.new("Foo",:x).new(1) } # => #<struct Struct::Foo x=1>
e { Struct.new("foo") } # => [NameError, "identifier foo needs to be constant"]
e { Struct.new(:a,:a) } # => [ArgumentError, "duplicate member: a"]
e { Struct.new(1) } # => [TypeError, "no implicit conversion of Integer into String"]
e { K=Struct.new(:x,:y,keyword_init: true); K.new(x: 1,y: 2) } # => #<struct K x=1, y=2>
e { K.new(1) } # => [ArgumentError, "wrong number of arguments (given 1, expected 0)"]
e { K.new(z: 1) } # => [ArgumentError, "unknown keywords: z"]
e { K.inspect } # => "K(keyword_init: true)"
e { K.keyword_init? } # => true
e { S.keyword_init? } # => nil
e { K.new(x: 1).to_h.to_a } # => [[:x, 1], [:y, nil]]
e { s.map{|x|x} } # => [5, 2]
e { case s; in [a,b]; [a,b]; end } # => [5, 2]
e { case s; in {a:}; a; end } # => 5
e { Class.new(S).new(1,2).to_a } # => [1, 2]
e { class S2<S; def initialize(x); super(x,x*2); end; end; S2.new(4) } # => #<struct S2 a=4, b=8>
e { x=S.new; x.a=x; x } # => #<struct S a=#<struct S:...>, b=nil>
e { Struct.new(:a).new(1) } # => #<struct a=1>
e { S.new(1,2)<=>S.new(1,2) } # => 0
e { s.sum{|x|x} rescue 1 } # => 7
e { s.each_with_index.to_a } # => [[5, 0], [2, 1]]
e { s.to_h{|k,v|[v,k]}.to_a } # => [[5, :a], [2, :b]]
e { Struct.new(:"a?").new(1) } # => #<struct :a?=1>
e { s.max } # => 5
e { S.new(1,2)!=S.new(1,2) } # => false
e { Struct.new(:a,keyword_init: false).new({a: 1}).a.class } # => Hash
e { S.instance_methods(false).sort } # => [:a, :a=, :b, :b=, :sum]
e { s.filter_map{|x|x} } # => [5, 2]
e { s.length } # => 2
e { s.values } # => [5, 2]
e { S.new(*[1,2]).a } # => 1
e { h={}; h[S.new(1,2)]=1; h[S.new(1,2)] } # => 1
# parallel: no, it defines a constant of Struct

# What `initialize` is not given becomes nil, the second time too.
twice = Struct.new(:a, :b).new(1, 2)
twice.send(:initialize, 3)
p twice.to_a # => [3, nil]
twice.send(:initialize, b: 4)
p twice.to_a # => [nil, 4]
