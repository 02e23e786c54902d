# Refinements: where they are in force, what finds them, super, import_methods.
class C
  def foo = "C#foo"
  def bar = "C#bar"
end
module M
  refine C do
    def foo = "M(#{super})"
    def call_bar = bar
  end
  refine Integer do
    def +(other) = "plus #{other}"
    def double = self * 2
    def to_s = "I!"
  end
  refine String do
    def shout = upcase + "!"
    def to_proc = proc { |x| x.to_s * 2 }
  end
end
def before = C.new.foo
p C.new.foo # => "C#foo"
begin
  1.double
rescue NoMethodError => e
  puts e.message
end
using M
p C.new.foo, C.new.call_bar, 1 + 2, 3.double # => undefined method 'double' for an instance of Integer
# => "M(C#foo)"
# => "C#bar"
# => "plus I!"
# => 6
p %w[a b].map(&:shout) # => ["A!", "B!"]
p "x".send(:shout), "x".public_send(:shout), "x".__send__(:shout), "x".method(:shout).call, "x".respond_to?(:shout) # => "X!"
# => "X!"
# => "X!"
# => "X!"
# => true
p before # => "C#foo"
p [1, 2].map(&"z") # => ["I!I!", "I!I!"]
p "#{5}", defined?("x".shout), eval('"q".shout') # => "I!"
# => "method"
# => "Q!"
p Module.used_modules, M.refinements[0].target, M.refinements[0].class, M.refinements[0] # => [M]
# => C
# => Refinement
# => #<refinement:C@M>
class D < C
  def foo = "D:#{super}"
end
p D.new.foo # => "D:M(C#foo)"
module P
  def foo = "P:#{super}"
end
C.prepend P
p C.new.foo # => "M(P:C#foo)"
module M
  refine(C) { def late = :late }
end
p C.new.late # => :late
module Imported
  def imported = "imported #{bar}"
end
module M2
  refine(C) do
    import_methods Imported
    def foo = "M2:#{super}"
  end
end
using M2
p C.new.imported, C.new.foo # => "imported C#bar"
# => "M2:M(P:C#foo)"
def use_here(object) = object.send(:using, M)
p (use_here(self) rescue $!) # => #<RuntimeError: main.using is permitted only at toplevel>
p (Class.new.send(:refine, String) {} rescue $!.class) # => NoMethodError
p (Module.new { refine(3) {} } rescue $!) # => #<TypeError: wrong argument type Integer (expected Class or Module)>
p (Module.new { include M.refinements[0] } rescue $!) # => #<TypeError: Cannot include refinement>
# Threads fill caches of the same sites with and without refinements.
module Loud
  refine(Symbol) { def loud = "#{self}!" }
end
module Inside
  using Loud
  def self.call(n) = n.times.sum { :abc.loud.size }
end
module Outside
  def self.call(n) = n.times.count { :abc.loud rescue true }
end
p 4.times.map { |i| Thread.new { i.even? ? Inside.call(500) : Outside.call(500) } }.map(&:value) # => [2000, 500, 2000, 500]
# parallel: no, it refines what it reopens at the top level
