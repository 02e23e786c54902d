# `&:name`: how the methods that it names are called, and what they see.
def attempt
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

# As by `public_send`, whoever yields.
class Guarded
  include Enumerable
  protected def guarded = :guarded
  private def hidden = :hidden
  def each = yield(self)
  def all = [self].map(&:guarded)
  def own = each(&:guarded)
  def proc = :guarded.to_proc.call(self)
  def direct = [self].map { it.guarded }
end
g = Guarded.new
attempt { g.all } # => NoMethodError: protected method 'guarded' called for an instance of Guarded
attempt { g.own } # => NoMethodError: protected method 'guarded' called for an instance of Guarded
attempt { g.each(&:guarded) } # => NoMethodError: protected method 'guarded' called for an instance of Guarded
attempt { g.proc } # => NoMethodError: protected method 'guarded' called for an instance of Guarded
attempt { [g].each(&:hidden) } # => NoMethodError: private method 'hidden' called for an instance of Guarded
attempt { g.direct } # => [:guarded]
p 300.times.map { g.own rescue 1 }.uniq # => [1]

# Keywords alone become the receiver.
class Hash
  def given(*list, **options) = [self, list, options]
end
class Integer
  def given(*list, **options) = [self, list, options]
end
def keywords(**options) = yield(**options)
def both = yield(1, 2, k: 3)
attempt { keywords(a: 1, &:given) } # => [{a: 1}, [], {}]
attempt { keywords(&:given) } # => ArgumentError: no receiver given
attempt { both(&:given) } # => [1, [2], {k: 3}]
attempt { :given.to_proc.call(k: 1) } # => [{k: 1}, [], {}]

# What they ask of their caller is asked of the program's code.
attempt { inner = 1; [Kernel].map(&:local_variables)[0].first } # => :inner
attempt { [Kernel].map(&:binding) } # => RuntimeError: Cannot create Binding object for non-Ruby caller
attempt { inner = 2; ["inner"].map(&method(:eval)) } # => [2]
attempt { inner = 3; ["inner", "inner + 1"].each_entry.map(&Kernel.method(:eval)) } # => [3, 4]
def block? = [Kernel].map(&:block_given?)
p block?, block? {}
# => [false]
# => [true]
class Nest
  p [Module].map(&:nesting) # => [[Nest]]
end
class Module
  public :private
end
class Changed
  [self].each(&:private)
  def hidden = 1
end
attempt { Changed.new.hidden } # => NoMethodError: private method 'hidden' called for an instance of Changed

# With refinements in force they are called, be they private or not; that of `to_proc` is not asked.
module Refined
  refine(Integer) { def refined(**k) = [:refined, self, k] }
  refine(Symbol) { def to_proc = proc { :never } }
end
module Uses
  using Refined
  attempt { [1].map(&:refined) } # => [[:refined, 1, {}]]
  attempt { [1].map(&:puts) }
  # => 
  # => [nil]
  attempt { [1].map(&:to_s) } # => ["1"]
  attempt { [1].map(&:to_s.to_proc) } # => [:never]
  attempt { keywords(k: 1, &:given) } # => [{k: 1}, [], {}]
end

# A new Symbol#to_proc is.
def one = yield(1)
p 200.times.map { one(&:succ) }.uniq # => [2]
class Symbol
  def to_proc = proc { |x| [self, x] }
end
p one(&:succ), [1].map(&:succ), 1.then(&:pred)
# => [:succ, 1]
# => [[:succ, 1]]
# => [:pred, 1]
p 200.times.map { one(&:succ) }.uniq # => [[:succ, 1]]
