# What is copied, what is shared, what is moved.
# parallel: no, the main Ractor has one default port
Warning[:experimental] = false

echo = Ractor.new { loop { Ractor.main << receive } }
send = ->(v, **o) { echo.send(v, **o); Ractor.receive }
S = Struct.new(:a, :b)
D = Data.define(:x)
class O
  attr_accessor :a
  def initialize(a) = @a = a
end

shared = [nil, 1, 1.5, 2**70, 1r, 2i, :s, "x".freeze, /r/, [1].freeze, { a: 1 }.freeze, S.new(1, 2).freeze, (1..2), O, Kernel,
          D.new(1), Ractor.current, O.new(1).freeze]
p shared.reject { |v| send[v].equal?(v) } # => []
mutable = [+"x", [1], ["a"], { a: [1] }, S.new(1, 2), S.new(+"a", 2).freeze, O.new([1]), (+"a"..+"b"), D.new([1])]
p mutable.select { |v| send[v].equal?(v) } # => []
p mutable.map { |v| send[v] }.zip(mutable).all? { |a, b| a.inspect.gsub(/0x\h+/, "") == b.inspect.gsub(/0x\h+/, "") } # => true
p mutable.map { |v| [v.frozen?, send[v].frozen?] }.uniq.sort_by(&:to_s) # => [[false, false], [true, true]]

# Identity inside a message, and of the parts that are shared.
s = +"s"
f = "f".freeze
a = [s, s, f]
a << a
b = send[a]
p b[0].equal?(b[1]), b[0].equal?(s), b[2].equal?(f), b[3].equal?(b) # => true
# => false
# => true
# => true
h = { +"k" => s, [1] => 2 }.compare_by_identity
p send[h].compare_by_identity?, send[{ [+"a"] => 1 }][["a"]] # => true
# => 1
t = +"x"
t.instance_variable_set(:@v, [1])
p send[t].instance_variable_get(:@v) # => [1]
o = O.new(1)
def o.own = @a
p send[o].own # => 1
e = (raise "x" rescue $!)
p send[e].message, send[e].backtrace == e.backtrace # => "x"
# => true
big = "x" * 1_000_000
copy = send[big]
p copy == big, copy.equal?(big) # => true
# => false
copy << "y"
p big.size # => 1000000

p((send[proc {}] rescue $!)) # => #<TypeError: allocator undefined for Proc>
p((send[Thread.current] rescue $!)) # => #<TypeError: allocator undefined for Thread>
p((send[Hash.new { 1 }] rescue $!.message)) # => "allocator undefined for Proc (it is .default of the Hash)"
p((send[[1, { a: Thread.current }]] rescue $!.message)) # => "allocator undefined for Thread (it is [1][:a] of the Array)"
p((send[O.new([proc {}]), move: true] rescue $!.message)) # => "can not move Proc object. (it is .@a[0] of the O)"
class Odd
  def clone = self
end
p((send[Odd.new] rescue $!.message)) # => "#clone returned self"

# Moving.
s = +"hello"
got = send[s, move: true]
p got, Ractor::MovedObject === s # => "hello"
# => true
p((s << "x" rescue $!.class)) # => Ractor::MovedError
p((s.inspect rescue $!.message)) # => "can not send any methods to a moved object"
p((s == 1 rescue $!.class)) # => Ractor::MovedError
p((+"" << s rescue $!.class)) # => TypeError
parts = [+"a", [1], { x: +"y" }, S.new(+"m", 1), O.new(+"iv")]
all = parts.dup
got = send[all, move: true]
p got.map(&:class) # => [String, Array, Hash, S, O]
p got[2], got[3], got[4].a # => {x: "y"}
# => #<struct S a="m", b=1>
# => "iv"
p [all, *parts].all? { |v| Ractor::MovedObject === v } # => true
p(([].concat(all) rescue $!.class)) # => TypeError
fr = [Object.new].freeze
got = send[fr, move: true]
p got.frozen?, Ractor::MovedObject === fr # => true
# => true
a = [+"x"]
a << a[0] << a
got = send[a, move: true]
p got[0].equal?(got[1]), got[2].equal?(got) # => true
# => true
p((send[[+"x", Thread.current], move: true] rescue $!.message)) # => "can not move Thread object. (it is [1] of the Array)"
f = "f".freeze
send[f, move: true]
p f # => "f"
r, w = IO.pipe
writer = Ractor.new { io = receive; io << "through"; io.close }
writer.send(w, move: true)
p r.read # => "through"
p((w << "x" rescue $!.class)) # => Ractor::MovedError
GC.start
