# Range#step where begin and step are not both numbers: it ends at what equals the end, and at once when the step leads the other way.
def t; r = yield; p r; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
class C; def initialize(*v) = @v = v; def coerce(o) = @v; end
t { a = []; (1..3).step(C.new(1, 2)) { a << _1 }; a }
# => [1, 3]
t { a = []; (1...3).step(C.new(1, 2)) { a << _1 }; a }
# => [1]
t { a = []; (1..3).step(C.new(0, 0)) { a << _1 }; a }
# => []
t { a = []; (1..2).step(Object.new) { a << _1 }; a }
# => TypeError: Object can't be coerced into Integer
t { a = []; ("a".."e").step(0) { a << _1 }; a }
# => ["a"]
t { a = []; (:a..:e).step(0) { a << _1 }; a }
# => [:a]
t { a = []; ("a".."e").step(-1) { a << _1 }; a }
# => ["a"]
t { a = []; ("a".."aaa").step("a") { a << _1 }; a }
# => ["a", "aa", "aaa"]
t { a = []; ("a"..."aaa").step("a") { a << _1 }; a }
# => ["a", "aa"]
t { a = []; ("a"..).step("a") { a << _1; break if a.size > 3 }; a }
# => ["a", "aa", "aaa", "aaaa"]
t { a = []; (Time.at(0)..Time.at(2)).step(0) { a << _1.to_i }; a }
# => []
t { a = []; (Time.at(0)..Time.at(2)).step(1) { a << _1.to_i }; a }
# => [0, 1, 2]
t { a = []; (Time.at(2)..Time.at(0)).step(-1) { a << _1.to_i }; a }
# => [2, 1, 0]
t { a = []; (Time.at(2)..Time.at(0)).step(1) { a << _1.to_i }; a }
# => []
t { a = []; (Time.at(0)..Time.at(0)).step(1) { a << _1.to_i }; a }
# => [0]
t { (Time.at(0)..Time.at(0)).step }
# => ArgumentError: step is required for non-numeric ranges
t { (nil..Time.at(0)).step(1) }
# => ArgumentError: #step for non-numeric beginless ranges is meaningless
t { (..1).step(0) }
# => ((..1).step(0))
t { (1..2).step(0) }
# => ArgumentError: step can't be 0
t { ("a".."c").step(0).class }
# => Enumerator
t { ([1]..[1,1,1,1]).step([1]).to_a }
# => [[1], [1, 1], [1, 1, 1], [1, 1, 1, 1]]
