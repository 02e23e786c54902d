# args: --jit=on
# parallel: no, it redefines methods of core classes
# Beginnings of methods that are executed in place of the call: what they do when they cannot go on there.
# Run it with --jit=always too.

class Base
  attr_accessor :link

  def initialize(held, list)
    @held = held
    @list = list
    @count = 0
  end

  def held? = @held
  def none? = !@held
  def size = @list.size
  def held=(value)
    @held = value
  end
  def count = @count
  def next_count = @count + 1
  def itself_or(other) = @held ? self : other
  def missing = @missing
  def sum(a, b) = a + b
  def least(a, b)
    return a if a <= b

    b
  end
  def same?(a, b) = a == b
  def text = "text"
  def symbol = :symbol
  def float = 1.5
end

class Derived < Base
  def initialize(held, list)
    @first = 1
    super
  end
end

def all(o, a, b)
  out = [o.held?, o.none?, o.size, o.count, o.next_count, o.missing, o.sum(a, b), o.least(a, b), o.same?(a, b), o.text, o.symbol, o.float]
  o.held = a
  out << o.held? << o.itself_or(b).equal?(o)
  o.held = true
  out
end

base, derived = Base.new(true, [1, 2]), Derived.new(true, [1])
results = 5000.times.map { all(base, 1, 2) }.uniq
p results # => [[true, false, 2, 0, 1, nil, 3, 1, false, "text", :symbol, 1.5, 1, true]]
p all(derived, 3, 2) # => [true, false, 1, 0, 1, nil, 5, 2, false, "text", :symbol, 1.5, 3, true]

# Operands of other kinds, and sums that are no fixnums.
p all(base, 2**61, 2**61)[6] # => 4611686018427387904
p all(base, 2**62 - 1, 1)[6] # => 4611686018427387904
p all(base, 1.5, 2)[6..8] # => [3.5, 1.5, false]
p all(base, "a", "b")[6..8] # => ["ab", "a", false]
p all(base, "a", "a")[8] # => true
p all(Base.new(nil, {}), 1, 2)[0..2] # => [nil, true, 0]
p all(Base.new(true, "abc"), 1, 2)[2] # => 3

# What raises there says where.
def held(o, v) = (o.held = v)
3000.times { held(base, 1) }
begin
  held(Base.new(1, []).freeze, 2)
rescue FrozenError => e
  puts e.class, e.backtrace_locations.first(2).map(&:label).inspect
end
# => FrozenError
# => ["Base#held=", "Object#held"]
def least(o, a, b) = o.least(a, b)
3000.times { least(base, 1, 2) }
begin
  least(base, 1, nil)
rescue ArgumentError => e
  puts e.message, e.backtrace_locations.first(3).map(&:label).inspect
end
# => comparison of Integer with nil failed
# => ["Integer#<=", "Base#least", "Object#least"]

# A method is called as it is now.
def held_now(o) = o.held?
3000.times { held_now(base) }
class Base
  def held? = :redefined
end
p held_now(base), held_now(derived) # => :redefined
# => :redefined
derived.define_singleton_method(:held?) { :singleton }
p held_now(derived), held_now(base) # => :singleton
# => :redefined

# Redefined from another thread: who sees that it is done does not call the old method.
class Shared
  def value = 0
end
$version = 0
shared = Shared.new
def look(o)
  seen = $version
  got = o.value
  raise "old method: #{got} after #{seen}" if got < seen
end
readers = 2.times.map { Thread.new { look(shared) until $version >= 30 } }
30.times do |n|
  Shared.class_eval("def value = #{n + 1}")
  $version = n + 1
  sleep 0.001
end
readers.each(&:join)
puts "none was old" # => none was old

# A recursion whose end is executed in place overflows as it should, and goes on afterwards.
def down(n) = n == 0 ? 0 : 1 + down(n - 1)
p 200.times.map { down(20) }.uniq # => [20]
begin
  down(10_000_000)
rescue SystemStackError => e
  p e.class # => SystemStackError
end
p down(1000) # => 1000

# Operators that are redefined count in place too.
class Base
  def absent? = @held.nil?
  def without(a, b)
    return a if !@held

    b
  end
end
def questions(o) = [o.none?, o.absent?, o.without(1, 2)]
3000.times { questions(base) }
p questions(base), questions(Base.new(nil, [])), questions(Base.new(false, [])) # => [false, false, 2]
# => [true, true, 1]
# => [true, false, 1]
class Odd
  def ! = :odd
  def nil? = :perhaps
end
p questions(Base.new(Odd.new, [])) # => [:odd, :perhaps, 1]
def size_of(o) = o.size
3000.times { size_of(base) }
class Array
  alias old_size size
  def size = -1
end
p size_of(base) # => -1
class Array
  alias size old_size
end
def greater(o, a, b) = o.least(b, a)
3000.times { greater(base, 1, 2) }
class Integer
  def <=(_) = true
end
p greater(base, 1, 2) # => 2
