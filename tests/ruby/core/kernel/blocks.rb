# Kernel#loop, tap, then, to_enum.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
i=0
e { loop{i+=1; break i if i>3} } # => 4
e { loop{raise StopIteration} } # => nil
e { loop{raise "out"} } # => [RuntimeError, "out"]
e { 1.tap{|x|x+1} } # => 1
e { 2.then{|x|x+1} } # => 3
e { 2.yield_self{|x|x*5} } # => 10
e { 2.then.size } # => 1
e { loop.size } # => Infinity
e { [1,2].to_enum(:each_slice,1).to_a } # => [[1], [2]]
e { "ab".enum_for(:each_char).to_a } # => ["a", "b"]
e { loop.inspect[0,13] } # => "#<Enumerator:"
e { 1.tap } # => [LocalJumpError, "no block given (yield)"]
