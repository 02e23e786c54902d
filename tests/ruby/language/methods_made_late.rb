# args: -w
# parallel: no, it replaces Warning.warn
# The VM's part of a method's code is made when it is first called. Nothing of that is seen.
def Warning.warn(text, **) = text.each_line { puts it[/:(\d+: .*)/, 1] }

class Late
  def never(a, b = 2, *rest, key:, &block) = :never
  alias same never
  def other = :other
  def text = "text"
  def self.made = new.text
end

# What reflection says of methods that were never called.
m = Late.instance_method(:never)
p m.arity # => -3
p m.parameters # => [[:req, :a], [:opt, :b], [:rest, :rest], [:keyreq, :key], [:block, :block]]
p m.source_location.last # => 7
p m == Late.instance_method(:same) # => true
p m.hash == Late.instance_method(:same).hash # => true
p m == Late.instance_method(:other) # => false
p Late.made # => "text"

# A method that was never called is redefined.
class Late
  def other = :another
end
# => 26: warning: method redefined; discarding old other
# => 9: warning: previous definition of other was here
# One that has another name too is not lost.
class Late
  def never = 1
end
p Late.new.same(1, key: 2) # => :never
p Late.new.other # => :another

# Methods of a module that were never called are imported.
module Imported
  def shout = upcase + "!"
end
using(Module.new do
  refine(String) { import_methods Imported }
end)
p "late".shout # => "LATE!"

# The code around a method may be gone when it is first called.
holder = Object.new
holder.instance_eval "def first = [1].map { |x| x + late }\ndef late = 41"
GC.start
p holder.first # => [42]

# Many threads call it first at once; all get the same literals.
100.times do |round|
  fresh = Class.new do
    class_eval <<~RUBY
      def literal = "frozen #{round}".freeze
      def counts(n) = n.times.sum { |i| i }
    RUBY
  end
  one = fresh.new
  texts = 4.times.map { Thread.new { [one.literal, one.counts(10)] } }.map(&:value)
  raise texts.inspect unless texts.uniq == [["frozen #{round}", 45]] && texts.map { it[0].object_id }.uniq.size == 1
end

# As a body for others.
class Heir
  define_method(:borrowed, Late.instance_method(:text).bind(Late.new).unbind) rescue puts $!.message
  # => bind argument must be a subclass of Late
end
class Lower < Late
  define_method(:borrowed, Late.instance_method(:text))
  def initialize = super
end
p Lower.new.borrowed # => "text"
p Late.new.method(:text).unbind.bind_call(Lower.new) # => "text"

# Code that is called by itself while it is made.
class Deep
  def down(n) = n.zero? ? :bottom : down(n - 1)
end
p Deep.new.down(3) # => :bottom

# A definition in a method, whose own method is called late.
class Outer
  def define = self.class.class_eval { def inner = :inner }
end
Outer.new.define
Outer.new.define
# => 85: warning: method redefined; discarding old inner
# => 85: warning: previous definition of inner was here
p Outer.new.inner # => :inner
