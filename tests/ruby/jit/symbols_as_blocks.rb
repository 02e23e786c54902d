# `&:name` where the method that yields is part of the compiled code, and where it is compiled alone: attributes, Ruby and native methods of
# several classes, methods that come, go and change meanwhile, and what a Symbol may not call.
class Leaf
  attr_reader :size
  attr_accessor :seen

  def initialize(size)
    @size = size
  end

  def weight = @size * 2
  def heavy? = @size > 5
  def mark
    self.seen = (seen || 0) + 1
    self
  end
  def place = caller(1, 1)[0][/\d+/].to_i
  def fails = raise(ArgumentError, "no #{@size}")

  private def hidden = 1
  protected def guarded = 2
end

class Wide < Leaf
  def initialize(size)
    @other = 0
    super
  end

  def weight = @size * 3
end

class Ghost
  def size = 7
  def method_missing(name, *args) = name == :weight ? 100 + args.size : super
  def respond_to_missing?(name, all = false) = name == :weight
end

def weights(list) = list.map(&:weight)
def sizes(list) = list.map(&:size)
def heavy(list) = list.all?(&:heavy?)
def mark(list) = list.each(&:mark)
def texts(list) = list.map(&:to_s)
def first(list) = list.map(&:first)
def succ(list) = list.map(&:succ)
def weigh_later(list) = list.each_slice(2).map { |pair| pair.sum(&:weight) }

leaves = Array.new(10) { |i| (i.odd? ? Leaf : Wide).new(i) }
600.times do
  weights(leaves)
  sizes(leaves)
  heavy(leaves)
  mark(leaves)
  texts([1, :a, nil])
  first([[1, 2], [3]])
  succ([1, 2])
  weigh_later(leaves)
end
p weights(leaves) # => [0, 2, 6, 6, 12, 10, 18, 14, 24, 18]
p sizes(leaves) # => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
p heavy(leaves.last(4)) # => true
p heavy(leaves) # => false
p leaves.map(&:seen).uniq # => [600]
p texts([1, :a, nil, 2.5, "x"]) # => ["1", "a", "", "2.5", "x"]
p first([[1, 2], [], 3..4, { a: 1 }]) # => [1, nil, 3, [:a, 1]]
p succ([1, 2**62 - 1, 2**64, "az"]) # => [2, 4611686018427387904, 18446744073709551617, "ba"]
p weigh_later(leaves) # => [2, 12, 22, 32, 42]
p weights([Ghost.new, leaves[1]]) # => [100, 2]
p sizes(["abc", [1], Ghost.new, 1]) # => [3, 1, 7, 8]

# `new`, of classes whose `initialize` is Ruby, native, or none.
def made(list) = list.map(&:new)
class Plain; end
class Counted
  attr_reader :n

  def initialize = @n = 1
end
600.times { made([Counted, Plain, String]) }
p made([Counted, Plain, String, Array, Counted]).map(&:class) # => [Counted, Plain, String, Array, Counted]
p made([Counted, Counted])[1].n # => 1

def error = yield.inspect rescue "#{$!.class}: #{$!.message}"

puts error { leaves.map(&:hidden) } # => NoMethodError: private method 'hidden' called for an instance of Wide
puts error { leaves.map(&:guarded) } # => NoMethodError: protected method 'guarded' called for an instance of Wide
puts error { leaves.map(&:nothing) } # => NoMethodError: undefined method 'nothing' for an instance of Wide
puts error { sizes([leaves[0], nil]) } # => NoMethodError: undefined method 'size' for nil
puts error { leaves.map(&:fails) } # => ArgumentError: no 0
puts error { [1].each_with_index.map(&:succ) } # => ArgumentError: wrong number of arguments (given 1, expected 0)
p [3, 4].each_with_index.map(&:+) # => [3, 5]
p [1, 2, 3].inject(&:+) # => 6
def none = yield
puts error { none(&:size) } # => ArgumentError: no receiver given

# Where it is called from.
def places(list) = list.map(&:place)
300.times { places(leaves) }
p places(leaves).uniq == [__LINE__ - 2] # => true

# What is called changes meanwhile: from the method itself, and from another thread.
class Leaf
  def turn
    Leaf.class_eval { def turn = :new } if @size == 4
    :old
  end
end
def turns(list) = list.map(&:turn)
300.times { turns(leaves.first(4)) }
p turns(leaves) # => [:old, :old, :old, :old, :old, :new, :new, :new, :new, :new]
p turns(leaves).uniq # => [:new]
Leaf.undef_method(:turn)
puts error { turns(leaves) } # => NoMethodError: undefined method 'turn' for an instance of Wide

class Leaf
  def version = 0
end
def versions(list) = list.map(&:version)
400.times { versions(leaves) }
defined = Queue.new
asked = Queue.new
changer = Thread.new do
  20.times do |n|
    asked.pop
    Leaf.define_method(:version) { n + 1 }
    defined << n + 1
  end
end
p(20.times.all? do
  asked << true
  now = defined.pop
  versions(leaves).uniq == [now]
end) # => true
changer.join

# Refinements, and a method of that name in a singleton class.
module Doubled
  refine Leaf do
    def weight = -1
  end
end
module Refined
  using Doubled
  def self.weights(list) = list.map(&:weight)
end
300.times { Refined.weights(leaves) }
p Refined.weights(leaves.values_at(1, 2)) # => [-1, 6]
def leaves.first = :own
p [leaves].map(&:first) # => [:own]

# Blocks that are passed on, kept, and yielded to by methods of the program.
def pass(list, &block) = list.map(&block)
def keep(&block) = block
def twice(v)
  yield(v)
  yield(v)
end
600.times { pass(leaves, &:weight) && twice(leaves[0], &:mark) }
p pass(leaves, &:weight).sum # => 110
p leaves[0].seen # => 1800
kept = keep(&:weight)
p kept.lambda?, kept.arity, kept.call(leaves[1]) # => true
# => -2
# => 2
def walk(list)
  return to_enum(:walk, list) unless block_given?
  list.each { |v| yield v }
end
600.times { walk(leaves, &:mark) }
p leaves[0].seen # => 2400
p walk(leaves).map(&:size).sum # => 45

# A fiber that is left in the middle of it.
class Leaf
  def give = Fiber.yield(@size)
end
def given(list) = Fiber.new { list.map(&:give) }
300.times { fiber = given(leaves); 3.times { fiber.resume } }
fiber = given(leaves)
p 10.times.map { |i| fiber.resume(i * i) } # => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
p fiber.resume(81) # => [1, 4, 9, 16, 25, 36, 49, 64, 81, 81]
