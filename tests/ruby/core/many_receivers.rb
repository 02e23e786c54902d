# Call sites that meet more classes than their inline caches hold: what they call is the method that the object has now.

MODULES = (0...12).map do |k|
  Module.new do
    class_eval <<~RUBY
      def written(a, b = #{k}, *rest, key: 1) = [a, b, rest, key, #{k}]
      def plain = #{k}
      def block(x) = yield(x) + #{k}
      def shown = "m#{k}:" + super
    RUBY
  end
end
class Root
  attr_accessor :v

  def shown = self.class.name.to_s
  def seen? = defined?(@seen) ? true : false
  def see = (@seen = nil if !defined?(@seen))
end
OBJECTS = MODULES.map { |m| Class.new(Root) { include m }.new }

def written(o, i) = o.written(i, key: 2)
def more(o, i) = o.written(i, 7, 8, 9)
def plain(o) = o.plain
def block(o) = o.block(100) { |x| x * 2 }
def shown(o) = o.shown
def attribute(o, i) = (o.v = i; o.v)
def of_root(o) = o.is_a?(Root) && o.respond_to?(:plain) && !o.nil?

def rounds(objects = OBJECTS)
  bad = 0
  600.times do |i|
    k = i % 12
    o = objects[k]
    bad += 1 unless written(o, i) == [i, k, [], 2, k] && more(o, i) == [i, 7, [8, 9], 1, k]
    bad += 1 unless plain(o) == k && block(o) == 200 + k && shown(o) == "m#{k}:" && attribute(o, i) == i && of_root(o)
  end
  bad
end
p rounds # => 0
GC.start
p rounds # => 0

# In several threads at once, each with what it remembers itself.
p 4.times.map { Thread.new { rounds(OBJECTS.map { |o| o.class.new }) } }.sum(&:value) # => 0

# A redefinition is seen by all, whoever remembered the method before.
MODULES.each_with_index { |m, k| m.class_eval "def plain = #{k + 1000}" }
p (0...240).count { |i| plain(OBJECTS[i % 12]) != i % 12 + 1000 } # => 0
p Thread.new { (0...240).count { |i| plain(OBJECTS[i % 12]) != i % 12 + 1000 } }.value # => 0

# So is another visibility, and a method of an object's own.
MODULES[3].send(:private, :plain)
def try(o) = plain(o) rescue :private
p (0...36).map { |i| try(OBJECTS[i % 12]) }.tally[:private] # => 3
def (OBJECTS[5]).plain = :own
p plain(OBJECTS[5]) # => :own

# Missing and wrong arguments are told as elsewhere.
def wrong(o) = o.written
p OBJECTS.map { |o| wrong(o) rescue $!.message }.uniq # => ["wrong number of arguments (given 0, expected 1+)"]

# `defined?` of an instance variable in a condition.
p OBJECTS.map(&:seen?).uniq # => [false]
OBJECTS.each(&:see)
p OBJECTS.map(&:seen?).uniq # => [true]
p OBJECTS.map { |o| o.instance_eval { defined?(@seen) } }.uniq # => ["instance-variable"]

# Refinements hold where they are in force, whatever was remembered.
module Refined
  refine(Root) { def seen? = :refined }
end
SOURCE = "->(o) { o.seen? }"
before = eval(SOURCE)
60.times { |i| before.call(OBJECTS[i % 12]) }
refined = eval("using Refined; #{SOURCE}", TOPLEVEL_BINDING.dup)
p OBJECTS.map { |o| refined.call(o) }.uniq # => [:refined]
p OBJECTS.map { |o| before.call(o) }.uniq # => [true]
