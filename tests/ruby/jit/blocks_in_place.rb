# A method that calls an iterator with a literal block is one piece of machine code with both, where these have run often. Everything
# that can happen in such a block, in methods that are hot.

MANY = GC.stress ? 300 : 6_000

def sum(n)
  s = 0
  n.times { |i| s += i }
  s
end

def squares(list) = list.map { |x| x * x }
def folded(list) = list.inject(0) { |a, x| a + x }
def indexed(list) = list.each_with_index.map { |x, i| x + i }
def positions(list)
  out = []
  list.each_with_index { |x, i| out << x if i.odd? }
  out
end
def chosen(list, least) = list.select { |x| next false if x == 4; x > least }
def counted(from, to)
  s = []
  from.upto(to) { |i| s << i }
  from.step(to, 2) { |i| s << -i }
  (from..to).each { |i| s << i * 10 }
  s
end
def nested(n)
  s = 0
  n.times { |i| n.times { |j| s += i * j } }
  s
end
def pairs(list) = list.map { |a, b| [b, a] }
def from_hash(h)
  out = []
  h.each { |k, v| out << k << v }
  out
end
def fewer(list) = list.map { |x, y = 3| [x, y] }
def broken(list, at) = list.each { |x| break x * 2 if x == at }
def found(list, at)
  list.each { |x| return [:found, x] if x == at }
  :none
end
def found_within(lists, at)
  lists.each { |list| list.each { |x| return x if x == at } }
  nil
end
def captured(n)
  out = []
  n.times { |i| out << -> { i += 1 } if i < 3 }
  out
end
def twice_broken(n)
  a = []
  n.times do |i|
    n.times do |j|
      break if j > i
      a << j
    end
    break if i == 2
  end
  a
end
def rescued(list)
  list.each { |x| Integer(x) }
rescue ArgumentError => e
  e.message
end
def ensured(list, log)
  list.each do |x|
    begin
      break x if x == 2
    ensure
      log << x
    end
  end
end
def yields(list)
  list.each { |x| yield x }
  :ended
end
def through(list)
  s = 0
  yields(list) { |x| s += x }
  s
end
def selves(list) = list.map { |x| [self.class, x] }
def floats(list)
  s = 0.0
  list.each { |x| s += x * 0.5 }
  s
end

LIST = [1, 2, 3, 4, 5].freeze
def all
  [sum(5), squares(LIST), folded(LIST), indexed(LIST), positions(LIST), chosen(LIST, 2), counted(1, 3), nested(3), pairs([[1, 2], [3], 4]),
   from_hash({ a: 1, b: 2 }), fewer([1, [2], [3, 4]]), broken(LIST, 3), broken(LIST, 9), found(LIST, 2), found(LIST, 9),
   found_within([[1], [2, 3]], 3), found_within([[1]], 3), captured(5).map { |f| [f.call, f.call] }, twice_broken(4), rescued(%w[1 2 x]),
   ensured(LIST, log = []), log, through(LIST), selves([1]), floats([1.0, 2, 3.5])]
end
expected = [10, [1, 4, 9, 16, 25], 15, [1, 3, 5, 7, 9], [2, 4], [3, 5], [1, 2, 3, -1, -3, 10, 20, 30], 9, [[2, 1], [nil, 3], [nil, 4]],
            [:a, 1, :b, 2], [[1, 3], [2, 3], [3, 4]], 6, LIST, [:found, 2], :none,
            3, nil, [[1, 2], [2, 3], [3, 4]], [0, 0, 1, 0, 1, 2], "invalid value for Integer(): \"x\"",
            2, [1, 2], 15, [[Object, 1]], 3.25]
(MANY / 6).times { all == expected or raise "other: #{all}" }
p all == expected # => true

# Operands of other kinds than before, and methods that are replaced.
p sum(4.0.to_i), squares([1.5, 2**40, 3i]) # => 6
# => [2.25, 1208925819614629174706176, (-9+0i)]
p folded([2**62, 2**62, 1.5]) # => 9.223372036854776e+18
p sum(3), (2**62 - 2).upto(2**62).map { |i| i } # => 3
# => [4611686018427387902, 4611686018427387903, 4611686018427387904]
class Other
  def initialize(*list) = @list = list
  def each
    @list.each { |x| yield x }
    self
  end
  def times = (yield 7; yield 8)
  include Enumerable
end
p broken(Other.new(1, 2, 3), 2), found(Other.new(4), 4), sum(Other.new) # => 4
# => [:found, 4]
# => 15

# What can be seen from within: frames, lines, variables.
def seen(n)
  n.times { |i| return caller_locations(0, 4).map { |l| [l.label, l.lineno] }.first(2), binding.local_variables, i if i == $at }
  nil
end
$at = -1
(MANY / 2).times { seen(3) }
$at = 2
labels, names, i = seen(3)
p labels, names, i
# => [["block in Object#seen", 130], ["Integer#times", 130]]
# => [:i, :n]
# => 2
def variables(n)
  x = 0
  n.times { |i| x += i; binding.local_variable_set(:x, 100) if i == 2 && $set }
  x
end
MANY.times { variables(4) }
$set = true
p variables(4) # => 103
def raises(n)
  n.times { |i| raise "at #{i}" if i == $at }
  :fine
end
$at = -1
MANY.times { raises(3) }
$at = 1
begin
  raises(3)
rescue => e
  p e.message, e.backtrace_locations.first(3).map { |l| [l.label, l.lineno] }
  # => "at 1"
  # => [["block in Object#raises", 150], ["Integer#times", 150], ["Object#raises", 150]]
end

# Fibers, throw, other threads.
def suspended(n) = n.times { |i| Fiber.yield(i) if $suspend }
MANY.times { suspended(2) }
$suspend = true
f = Fiber.new { suspended(3); :over }
g = Fiber.new { suspended(2); :over }
p [f.resume, g.resume, f.resume, g.resume, f.resume, f.resume, g.resume] # => [0, 0, 1, 1, 2, :over, :over]
abandoned = Array.new(3) { Fiber.new { suspended(3) }.tap(&:resume) }
abandoned.clear
GC.start
def throws(n) = n.times { |i| throw :out, i if i == $at }
$at = -1
MANY.times { throws(3) }
$at = 2
p(catch(:out) { throws(5) }) # => 2
def waits(n) = n.times { |i| ($queue << i; Thread.pass until $over) if i == $at }
$at = -1
MANY.times { waits(3) }
$at = 1
$queue = Queue.new
thread = Thread.new { waits(3) }
p $queue.pop # => 1
thread.kill
thread.join
p thread.value # => nil
thread = Thread.new { waits(3) rescue $!.message }
$queue.pop
thread.raise "from outside"
p thread.value # => "from outside"

# Deep down the stack.
def deep(n) = n == 0 ? 0 : 1.times { |i| return deep(n - 1) + 1 }
(MANY / 20).times { deep(20) }
p deep(500) # => 500
def endless(n) = 1.times { |i| endless(n + 1) }
begin
  endless(0)
rescue SystemStackError => e
  p e.message # => "stack level too deep"
end

# A block whose own code is replaced by that of another one at the same place, and an iterator that is redefined meanwhile.
def redefines(n)
  out = []
  n.times { |i| $change&.call if i == 1; out << i }
  out
end
MANY.times { redefines(3) }
$change = -> { Integer.class_eval { def times = (yield 40; yield 41; self) } }
p redefines(3) # => [0, 1, 2]
$change = nil
p redefines(3) # => [40, 41]
