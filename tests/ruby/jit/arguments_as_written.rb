# args: --jit=always
# Calls whose arguments are bound when they are compiled: keywords, optional and required parameters behind a rest, blocks that are
# passed on, super, methods made of blocks; and what raises as ever.

def keywords(a, b = 2, *rest, c, k:, l: k + 1, &block) = [a, b, rest, c, k, l, block&.call]
def only(k: 1, l: 2) = [k, l]
def none(**nil) = :none
def passed(list, &block) = list.map(&block)
def passed_by_name(list, block) = list.map(&block)
def anonymous(list, &) = list.map(&)
def given? = block_given?
def given_by(block) = given?(&block)

class Base
  attr_reader :log
  def initialize(a, b = 0, k: 5) = @log = [a, b, k]
  def m(x, y = 1, z: 2) = [:base, x, y, z, block_given? && yield]
  def each = yield(1)
  def to_s = "base"
  def method_missing(name, *args, **opts, &block) = name == :ghost ? [name, args, opts, block&.call] : super
  def respond_to_missing?(name, all = false) = name == :ghost || super
end

class Derived < Base
  def initialize(a, k: 7) = super
  def m(x, y = 3, z: 4) = super
  def each = super
  def to_s = "derived of #{super}"
  def hash = super
  def dup = super()
end

class Explicit < Base
  def initialize(...) = super(...)
  def m(x, *) = super(x, z: 9) { :own }
  def each(&block) = super(&block)
end

class Base
  define_method(:made) { |a, b = (a + 1), k: 3| [self.class, a, b, k] }
  define_method(:early) { |a| return :early if a; :late }
  count = 0
  define_method(:counted) { count += 1 }
end

def round(n)
  derived, explicit = Derived.new(1), Explicit.new(1, 2, k: 3)
  block = n.odd? ? proc { |x| x.to_s * 2 } : :to_s
  [
    keywords(1, 2, k: 3), keywords(1, 2, 3, 4, 5, l: 6, k: 7) { :b }, only(l: 3), only, none,
    passed([1]) { |x| x + n }, passed([1], &block), passed_by_name([2], block), anonymous([3], &nil.to_proc_or(block)),
    given_by(nil), given_by(proc {}), derived.log, explicit.log,
    derived.m(1) { :block }, derived.m(1, 2, z: 3), explicit.m(1, 2, 3), derived.each { |x| x + 1 }, explicit.each { |x| x + 2 },
    derived.to_s, derived.hash == derived.dup.hash, derived.made(1), derived.made(1, k: 4), derived.early(true), derived.early(nil),
    derived.ghost(1, k: 2) { 3 }, derived.respond_to?(:ghost), derived.respond_to?(:none)
  ]
end

class NilClass
  def to_proc_or(block) = block
end

results = 300.times.map { |n| round(n) }
p results[-2], results[-1][6..8]
# => [[1, 2, [], 2, 3, 4, nil], [1, 2, [3, 4], 5, 7, 6, :b], [1, 3], [1, 2], :none, [299], ["1"], ["2"], ["3"], false, true, [1, 0, 7], [1, 2, 3], [:base, 1, 3, 4, :block], [:base, 1, 2, 3, false], [:base, 1, 1, 9, :own], 2, 3, "derived of base", false, [Derived, 1, 2, 3], [Derived, 1, 2, 4], :early, :late, [:ghost, [1], {k: 2}, 3], true, false]
# => [["11"], ["22"], ["33"]]
p results.each_slice(2).map(&:first).uniq.size, results.each_slice(2).map(&:last).uniq.size
# => 150
# => 150
p 100.times.map { Derived.new(1).counted }.last
# => 100

def raised
  yield
rescue ArgumentError, NoMethodError, TypeError, RuntimeError => e
  "#{e.class}: #{e.message}"
end

def missing = keywords(1, 2)
def unknown = only(m: 1)
def unwanted = none(k: 1)
def few = keywords(1, k: 1)
def no_proc = passed_by_name([1], 5)
def made_few = Base.new(1).made
puts 20.times.map { [raised { missing }, raised { unknown }, raised { unwanted }, raised { few }, raised { no_proc }, raised { made_few }] }.uniq
# => ArgumentError: missing keyword: :k
# => ArgumentError: unknown keyword: :m
# => ArgumentError: no keywords accepted
# => ArgumentError: wrong number of arguments (given 1, expected 2+; required keyword: k)
# => TypeError: no implicit conversion of Integer into Proc
# => ArgumentError: wrong number of arguments (given 0, expected 1..2)

# What super calls changes.
class Late < Base
  def to_s = "late of #{super}"
end
late = Late.new(0)
def shown(late) = late.to_s
p 50.times.map { shown(late) }.uniq
# => ["late of base"]
Late.include(Module.new { def to_s = "module, #{super}" })
p 50.times.map { shown(late) }.uniq
# => ["late of module, base"]
class Base
  def to_s = "another"
end
p 50.times.map { shown(late) }.uniq
# => ["late of module, another"]

# The same method of classes that have different ones above.
module Tagged
  def tag(x) = [self.class, super]
end
A, B = %w[A B].map { |name| Class.new { define_method(:tag) { |x| [name, x] } }.then { |c| Class.new(c) { include Tagged } } }
class A; def tag(x) = super; end
class B; def tag(x) = super; end
both = [A.new, B.new]
p 60.times.map { |i| both[i % 2].tag(i % 2) }.uniq == [[A, ["A", 0]], [B, ["B", 1]]]
# => true

# A method without one above it.
class Alone
  def alone(x) = super
end
puts 20.times.map { raised { Alone.new.alone(1) } }.uniq
# => NoMethodError: super: no superclass method 'alone' for an instance of Alone

# Implicit arguments of super in a block, and in a method made of one.
class Blocks < Base
  def m(x, y = 5, z: 6) = [1].map { super }.first
  define_method(:each) { |&b| super(&b) }
  define_method(:to_s) { super }
end
p 20.times.map { Blocks.new(1).m(3) { :given } }.uniq, 20.times.map { Blocks.new(1).each { |x| x } }.uniq
# => [[:base, 3, 5, 6, :given]]
# => [1]
puts 20.times.map { raised { Blocks.new(1).to_s } }.uniq
# => RuntimeError: implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.
