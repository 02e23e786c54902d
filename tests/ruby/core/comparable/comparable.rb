# Comparable on a class of its own.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
class V; include Comparable; attr_reader :v; def initialize(v); @v=v; end; def <=>(o); o.is_a?(V) ? @v<=>o.v : nil; end; def inspect; "V#{@v}"; end; end
a=V.new(1)
b=V.new(2)
c=V.new(3)
p(a<b) # => true
p(a<=b) # => true
p(a>b) # => false
p(a>=b) # => false
p(a==V.new(1)) # => true
p(a!=b) # => true
p(b.between?(a,c)) # => true
p(a.between?(b,c)) # => false
p(a.clamp(b,c)) # => V2
p(c.clamp(a,b)) # => V2
p(b.clamp(a,c)) # => V2
p(b.clamp(a..c)) # => V2
p(a.clamp(b..)) # => V2
p(c.clamp(..b)) # => V2
p([c,a,b].sort) # => [V1, V2, V3]
p([c,a,b].max) # => V3
p([c,a,b].min) # => V1
p([c,a,b].minmax) # => [V1, V3]
p(a==4) # => false
e { a<4 } # => [ArgumentError, "comparison of V with 4 failed"]
e { a>nil } # => [ArgumentError, "comparison of V with nil failed"]
e { a<="x" } # => [ArgumentError, "comparison of V with String failed"]
e { a>=1.5 } # => [ArgumentError, "comparison of V with 1.5 failed"]
e { a<Object } # => [ArgumentError, "comparison of V with Class failed"]
e { a.clamp(1,2) } # => [ArgumentError, "comparison of V with 1 failed"]
e { a.clamp(a...c) } # => [ArgumentError, "cannot clamp with an exclusive range"]
e { a.clamp(1) } # => [TypeError, "wrong argument type Integer (expected Range)"]
e { 1.clamp(2,3) } # => 2
e { 5.clamp(..3) } # => 3
e { 1.5.clamp(2,nil) } # => 2
e { 5.clamp(nil,3) } # => 3
e { a.between?(1,2) } # => [ArgumentError, "comparison of V with 1 failed"]
e { [a,1].sort } # => [ArgumentError, "comparison of V with 1 failed"]
e { [a,1].itself.max } # => [ArgumentError, "comparison of V with 1 failed"]
e { a<:sym } # => [ArgumentError, "comparison of V with :sym failed"]
e { a<true } # => [ArgumentError, "comparison of V with true failed"]
e { a<10**30 } # => [ArgumentError, "comparison of V with Integer failed"]
