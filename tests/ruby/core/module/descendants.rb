# What is cached of a class's methods is forgotten in those that inherit from it or include it, however they came to.

def call(object) = object.word

module Plain
  def word = :plain
end

class Base
  include Plain
end

class Middle < Base; end
class Leaf < Middle; end
leaf = Leaf.new
p call(leaf) # => :plain

class Middle
  def word = :middle
end
p call(leaf) # => :middle

# A module in front of a class with subclasses.
module Front
  def word = [:front, super]
end
Middle.prepend(Front)
p call(leaf) # => [:front, :middle]
module Front
  def word = [:other, super]
end
p call(leaf) # => [:other, :middle]
Middle.class_eval { def word = :changed }
p call(leaf) # => [:other, :changed]
Base.class_eval { def word = :base }
p call(leaf) # => [:other, :changed]
Middle.class_eval { remove_method :word }
p call(leaf) # => [:other, :base]
Base.class_eval { remove_method :word }
p call(leaf) # => [:other, :plain]
module Plain
  def word = :late
end
p call(leaf) # => [:other, :late]

# A module that others have included before it includes one itself.
module Outer; end

class Holder
  include Outer
end

class Heir < Holder; end
heir = Heir.new
p((call(heir) rescue $!.class)) # => NoMethodError
module Inner
  def word = :inner
end
Outer.include(Inner)
p call(heir) # => :inner
module Inner
  def word = :again
end
p call(heir) # => :again
module Ahead
  def word = [:ahead, super]
end
Outer.prepend(Ahead)
p call(heir) # => [:ahead, :again]
module Ahead
  def word = :over
end
p call(heir) # => :over

# Singleton classes, of classes and of objects.
def leaf.word = [:own, super]
p call(leaf) # => [:own, [:other, :late]]
module Front
  def word = :cut
end
p call(leaf) # => [:own, :cut]
def Base.word = :class_method
p call(Leaf) # => :class_method
module Extension
  def word = [:extension, super]
end
Middle.singleton_class.prepend(Extension)
p call(Leaf) # => [:extension, :class_method]
module Extension
  def word = :extended
end
p call(Leaf) # => :extended

# Many that come and go beside.
results = 300.times.map do |i|
  some = Class.new(Middle)
  20.times { Class.new(some) }
  GC.start if i % 100 == 50
  heir = Class.new(some).new
  before = call(heir)
  some.define_method(:word) { i }
  before == :cut && call(heir) == i
end
p results.all? # => true

# From several threads.
words = 4.times.map do |n|
  Thread.new do
    parent = Class.new(Middle)
    child = Class.new(parent).new
    500.times.all? do |i|
      parent.define_method(:word) { [n, i] }
      Class.new(parent).include(Module.new)
      call(child) == [n, i]
    end
  end
end
p words.all?(&:value) # => true
