# What compiled code calls that is not compiled: blocks that are new to a method that has run often. Each block here runs a few
# times, and is left in every way there is.

def give(x)
  v = yield x
  v.nil? ? :none : v
end

def give_twice(x)
  a = give(x) { |y| yield y }
  b = give(x) { |y| yield y }
  [a, b]
end

def warm(n)
  i = 0
  while i < n
    give_twice(i) { |x| x }
    i += 1
  end
end
warm(GC.stress ? 300 : 12_000)

p give_twice(1) { |x| x + 1 } # => [2, 2]
p give_twice(1) { |x| next 5 if x == 1 } # => [5, 5]
p give_twice(2) { |x| next 5 if x == 1 } # => [:none, :none]
p give_twice(3) { |x| break [:broken, x] } # => [:broken, 3]

def returns(n) = give_twice(n) { |x| return [:returned, x] }
p returns(4) # => [:returned, 4]

p(catch(:out) { give_twice(5) { |x| throw :out, [:thrown, x] } }) # => [:thrown, 5]

# Exceptions: handled within, and around.
p give_twice(6) { |x| begin; raise "a"; rescue => e; [e.message, x]; end } # => [["a", 6], ["a", 6]]
begin
  give_twice(7) { |x| raise ArgumentError, "no #{x}" }
rescue ArgumentError => e
  p e.message # => "no 7"
  p e.backtrace_locations.map(&:label).take(6) # => ["block in <main>", "block in Object#give_twice", "Object#give", "Object#give_twice", "<main>"]
end
ended = []
give_twice(8) do |x|
  begin
    break
  ensure
    ended << x
  end
end
p ended # => [8]

# One within the other.
p give_twice(1) { |x| give_twice(x) { |y| give_twice(y) { |z| z + 1 }.sum }.sum } # => [8, 8]
p(give_twice(1) { |x| give_twice(x) { |y| give_twice(y) { |z| break z + 1 } }.sum }) # => [4, 4]
outer = [1, 2, 3].each do |i|
  give_twice(i) { |x| [4, 5].each { |y| break if y == 5 }; x }
  break i * 10 if i == 2
end
p outer # => 20

# Deeper than loops are kept.
def deep(n, &block) = n == 0 ? block.call : give(n) { |m| deep(m - 1, &block) }
p deep(200) { :bottom } # => :bottom
p(catch(:up) { deep(200) { throw :up, :thrown } }) # => :thrown
def endless(n) = give(n) { |m| endless(m + 1) }
begin
  endless(0)
rescue SystemStackError => e
  p e.message # => "stack level too deep"
end

# Fibers that go on in the middle, and that are left there.
fiber = Fiber.new do
  give_twice(1) { |x| Fiber.yield(x) + 1 }
end
p fiber.resume # => 1
p fiber.resume(10) # => 1
p fiber.resume(20) # => [11, 21]
ring = Array.new(3) { |i| Fiber.new { loop { give_twice(i) { |x| Fiber.yield x } } } }
p give_twice(1) { |x| ring.map { |f| f.resume + x } } # => [[1, 2, 3], [1, 2, 3]]
inner = Fiber.new { 5.times { |i| give(i) { |x| Fiber.yield x } }; :end }
met = []
loop do
  give(inner) { |f| met << f.resume }
  break if met.last == :end
end
p met # => [0, 1, 2, 3, 4, :end]
source = Enumerator.new { |y| give_twice(1) { |x| y << x; y << x + 1 } }
p [source.next, source.next, source.next, source.next] # => [1, 2, 1, 2]
abandoned = Array.new(5) { Fiber.new { give_twice(1) { |x| [3].sort_by { |y| Fiber.yield x } } }.tap(&:resume) }
p abandoned.size # => 5
abandoned = nil
GC.start
p give_twice(2) { |x| x } # => [2, 2]

# Another thread raises into it, or kills it.
queue = Queue.new
thread = Thread.new do
  give_twice(1) { |x| queue << x; loop { Thread.pass } }
rescue => e
  [:raised, e.message]
end
queue.pop
thread.raise "from outside"
p thread.value # => [:raised, "from outside"]
thread = Thread.new { begin; give_twice(1) { |x| queue << x; loop { Thread.pass } }; ensure; queue << :ended; end }
queue.pop
thread.kill
thread.join
p queue.pop # => :ended

# What is called is replaced meanwhile, and locals are seen from outside.
def self.give(x) = [:other, yield(x)]
p give_twice(1) { |x| x } # => [[:other, 1], [:other, 1]]
singleton_class.remove_method(:give)
p give_twice(1) { |x| Object.define_method(:give) { |y, &b| [:newer, b.call(y)] }; x } # => [1, [:newer, 1]]
b = nil
give_twice(1) { |x| y = x + 1; b = binding; y }
p b.local_variable_get(:y) # => 2
