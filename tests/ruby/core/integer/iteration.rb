# Integer and Numeric iteration, digits.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
r=[]
3.times{|i| r<<i}
p(r) # => [0, 1, 2]
p(3.times.to_a) # => [0, 1, 2]
p(3.times.size) # => 3
p(-1.times.to_a) # => []
p(1.upto(3).to_a) # => [1, 2, 3]
p(3.downto(1).to_a) # => [3, 2, 1]
p(1.upto(3).size) # => 3
p(3.downto(1).size) # => 3
p(1.upto(2.5).to_a) # => [1, 2]
p(3.downto(1.5).to_a) # => [3, 2]
p(1.upto(0).to_a) # => []
p(1.step(10,3).to_a) # => [1, 4, 7, 10]
p(10.step(1,-4).to_a) # => [10, 6, 2]
p(1.0.step(2.0,0.5).to_a) # => [1.0, 1.5, 2.0]
p(1.step(2,0.5).to_a) # => [1.0, 1.5, 2.0]
p(1.step(by: 2, to: 6).to_a) # => [1, 3, 5]
p(1.0.step(2.0,0.1).to_a) # => [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7000000000000002, 1.8, 1.9, 2.0]
p(1.0.step(2.0,0.1).size) # => 11
p(1.step(by: -1).first(3)) # => [1, 0, -1]
p(1.step(Float::INFINITY,2).first(2)) # => [1.0, 3.0]
p(12345.digits) # => [5, 4, 3, 2, 1]
p(0.digits) # => [0]
p(255.digits(16)) # => [15, 15]
p((10**40).digits.size) # => 41
p(5.times{}) # => 5
p(1.upto(2){}) # => 1
p(2.downto(1){}) # => 2
p((3**4000).digits.sum) # => 8514
p((7**3000).digits(1000).size) # => 846
p((10**2000+1).digits.sum) # => 2
p(5.times.map{|x|x*2}) # => [0, 2, 4, 6, 8]
p(5.times.select(&:even?)) # => [0, 2, 4]
p(3.times.with_index(1).to_a) # => [[0, 1], [1, 2], [2, 3]]
p(4.times.each_slice(2).to_a) # => [[0, 1], [2, 3]]
p(4.times.inject(:+)) # => 6
p(3.times.inspect) # => "#<Enumerator: 3:times>"
p(1.upto(3).inspect) # => "#<Enumerator: 1:upto(3)>"
p(1.step(10,4).inspect) # => "(1.step(10, 4))"
p(1.step(by: 2).inspect) # => "(1.step(by: 2))"
e { 10.digits(1) } # => [ArgumentError, "invalid radix 1"]
e { 10.digits(-1) } # => [ArgumentError, "negative radix"]
e { -1.digits } # => [Math::DomainError, "out of domain"]
e { 10.digits("a") } # => [TypeError, "no implicit conversion of String into Integer"]
e { 1.upto("a"){} } # => [ArgumentError, "comparison of Integer with String failed"]
e { 1.upto(nil){} } # => [ArgumentError, "comparison of Integer with nil failed"]
e { 1.downto("a"){} } # => [ArgumentError, "comparison of Integer with String failed"]
e { 1.step(10,0){} } # => [ArgumentError, "step can't be 0"]
e { 1.step("a"){} } # => [ArgumentError, "comparison of Integer with String failed"]
e { 1.step(10,nil){} } # => [TypeError, "step must be numeric"]
e { 1.step(3, step: 1){} } # => [ArgumentError, "unknown keyword: :step"]
e { 1.step(3,1,to: 3){} } # => [ArgumentError, "to is given twice"]
e { 1.upto } # => [ArgumentError, "wrong number of arguments (given 0, expected 1)"]
s=0
1.step(10,4){|x| s+=x}
p(s) # => 15
s=[]
2.0.step(1.0,-0.5){|x| s<<x}
p(s) # => [2.0, 1.5, 1.0]
s=[]
1.step(by: 3, to: 7){|x| s<<x}
p(s) # => [1, 4, 7]
e { 5.times{|i| break i*10 if i==3} } # => 30
e { 1.upto(5){|i| next if i<5; break i} } # => 5
