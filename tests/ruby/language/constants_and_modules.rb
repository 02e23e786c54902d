# Constants: lexical scope, inheritance, reopening, and modules as name spaces.
X = :top
module Outer
  X = :outer
  class Inner
    def x = X
    def top = ::X
  end
  module Deep
    def self.x = X
  end
end
p Outer::Inner.new.x, Outer::Inner.new.top, Outer::Deep.x
# => :outer
# => :top
# => :outer

class Outer::Inner
  def compact = X
end
p Outer::Inner.new.compact # => :top

class Parent
  SHARED = :parent
  def shared = self.class::SHARED
  def own = SHARED
end
class Child < Parent
  SHARED = :child
end
p Child.new.shared, Child.new.own
# => :child
# => :parent
p Child.const_get(:SHARED), Parent.constants, Child.const_defined?(:X)
# => :child
# => [:SHARED]
# => true

begin
  Outer::Missing
rescue NameError => e
  p e.name, e.receiver
  # => :Missing
  # => Outer
end
module Outer
  def self.const_missing(name) = "made #{name}"
end
p Outer::Missing # => "made Missing"

module Greeting
  def greet = "hi from #{self.class}"
end
class Person
  include Greeting
end
class Loud < Person
  prepend(Module.new { def greet = super.upcase })
end
p Person.new.greet, Loud.new.greet
# => "hi from Person"
# => "HI FROM LOUD"
p Person.ancestors.first(2), Person.include?(Greeting)
# => [Person, Greeting]
# => true
p Outer.name, Outer::Inner.name, Module.new.name, Outer::Inner.to_s
# => "Outer"
# => "Outer::Inner"
# => nil
# => "Outer::Inner"
p Outer.class, Outer::Inner.class
# => Module
# => Class
module Outer
  module Nest
    p Module.nesting # => [Outer::Nest, Outer]
  end
end

class Dynamic; end
Dynamic.const_set(:VALUE, 42)
p Dynamic::VALUE # => 42
Dynamic.send(:remove_const, :VALUE)
p Dynamic.const_defined?(:VALUE) # => false
Named = Class.new(Parent) { def hello = :hello }
p Named.name, Named.new.hello, Named.superclass
# => "Named"
# => :hello
# => Parent
A, B = 1, 2
p A + B # => 3
Lazy ||= :assigned
Lazy ||= :again
p Lazy # => :assigned
Outer::Later = 5
p Outer.constants.sort # => [:Deep, :Inner, :Later, :Nest, :X]
p defined?(Nothing::AtAll) # => nil
# parallel: no, it reaches its constants at the top level
