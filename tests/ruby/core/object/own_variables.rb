# What the core keeps in its objects is not among their instance variables, so a subclass may have any names for its own.
objects = [
  [1].each, [1].each.tap(&:next), [1].lazy, [1].lazy.map { 1 }, [1].each + [2], Enumerator::Product.new([1]), Enumerator.produce(1, &:succ), 1.step(5, 2), (1..5) % 2,
  Enumerator::Yielder.new {}, Enumerator.new {}, Set[1], Set[[1]].to_enum, Random.new(1), Time.now, Thread.current, Thread.new {}.join, Thread::Mutex.new,
  Thread::Queue.new, Thread::SizedQueue.new(1), Thread::ConditionVariable.new, Fiber.new {}, $stdout, Dir.new("/"), File.stat("/"), "a".match(/a/), proc {}, method(:p),
  binding, RuntimeError.new("a"), KeyError.new("a", receiver: 1, key: 2), NameError.new("a", :b), (Integer("x") rescue $!), (nope rescue $!), SystemExit.new(1), Struct.new(:a).new(1),
  Data.define(:a).new(1), ObjectSpace::WeakMap.new, ObjectSpace::WeakKeyMap.new, TracePoint.new(:line) {}, Encoding::Converter.new("UTF-8", "UTF-16LE"), IO::Buffer.new(8),
  Process.clock_gettime(0), 1i, 1r, 1..2, /a/, ThreadGroup.new, caller_locations(0)[0], Ractor::Port.new, ARGF, ENV, Object.new.to_enum
]
p objects.reject { |o| o.instance_variables.empty? } # => []

names = %i[args at begin block end enums exclusive gives hash init made_by meth more opts receiver recipe shown sink size step stop walk]
own = Module.new do
  define_method(:fill) { names.each { |n| instance_variable_set(:"@#{n}", n) } && self }
  define_method(:kept?) { names.all? { |n| instance_variable_get(:"@#{n}") == n } }
end
numbers = Class.new(Enumerator) do
  include own
  def initialize(n)
    fill
    super() { |y| n.times { y << _1 } }
  end
end
e = numbers.new(3)
p e.next, e.to_a, e.with_index(1).to_a, e.size, e.kept? # => 0
# => [0, 1, 2]
# => [[0, 1], [1, 2], [2, 3]]
# => nil
# => true
lazy = Class.new(Enumerator::Lazy) do
  include own
  def initialize(list)
    fill
    super { |y, v| y << v * 2 }
  end
end
l = lazy.new([1, 2])
p l.map { _1 + 1 }.to_a, l.kept? # => [3, 5]
# => true
set = Class.new(Set) do
  include own
  def initialize(*)
    fill
    super
  end
end
s = set.new([1, 2])
p s.include?(2), s.size, (s | [3]).size, Marshal.load(Marshal.dump(Set[1])), s.kept? # => true
# => 2
# => 3
# => Set[1]
# => true

# Neither are its helpers in the way of methods that a subclass has.
helpers = %i[setup cursor plain? bind make over of step give walk at go_on begin_walk core? need_set fill_from size_proc setup_step]
named = Module.new { helpers.each { |n| define_method(n) { |*| raise "#{n} of the program's is called" } } }
class Enumerator
  class Named < Enumerator
  end
end
Enumerator::Named.include(named)
named.instance_methods.each { |n| Enumerator::Named.define_method(n, named.instance_method(n)) }
e = Enumerator::Named.new { |y| y << 1 << 2 }
p e.next, e.peek, e.to_a, e.with_index.to_a, e.lazy.map { _1 * 2 }.to_a, (e + [3]).to_a # => 1
# => 2
# => [1, 2]
# => [[1, 0], [2, 1]]
# => [2, 4]
# => [1, 2, 3]
k = Class.new(Set) { helpers.each { |n| define_method(n) { |*| raise "#{n} of the program's is called" } } }
p k.new([1, 2]).map { _1 }, k.new([1]) | [2] == k.new([1, 2]) # => [1, 2]
# => true
