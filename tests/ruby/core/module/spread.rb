# A module that is included somewhere already, and what is included into it or prepended to it later; visibility and super beside
# prepended modules.
def modules(n) = Array.new(n) { Module.new }

a, b = modules(2)
user = Class.new { include a }
child = Class.new(user)
b.define_method(:late) { :late }
p (child.new.late rescue :none) # => :none
a.include(b)
p user.ancestors.take(3) == [user, a, b], child.new.late # => true
# => :late
b.define_method(:later) { :later }
p child.new.later # => :later

# Through several modules, and in front of them.
a, b, c, d = modules(4)
a.include(b)
user = Class.new { include a }
b.include(c)
a.prepend(d)
p user.ancestors.take(5) == [user, d, a, b, c] # => true
# What is there is not put there again.
a, b = modules(2)
user = Class.new { include b; include a }
a.include(b)
p user.ancestors.take(3) == [user, a, b] # => true

extended = Module.new { extend self }
extended.include(Module.new { def own = :own })
p extended.own # => :own

module ::Comparable; def from_comparable = :seen; end
Kernel.include(Module.new { def from_everywhere = :everywhere })
p 1.from_everywhere, "".from_comparable # => :everywhere
# => :seen

# Modules in front of a module come before it.
first = Module.new { def chain = super << :first }
second = Module.new { prepend first; def chain = super << :second }
p Class.new { def chain = [:class]; prepend second }.new.chain # => [:class, :second, :first]

wrapper = Module.new { def wrapped = super + 1 }
wrapped = Class.new { prepend wrapper; def wrapped = 1; private :wrapped }
p wrapped.new.send(:wrapped) # => 2
p wrapped.private_method_defined?(:wrapped) # => false

above = Class.new { def text = "above" }
bound = Module.new { def text = "bound, #{super}" }
p bound.instance_method(:text).bind_call(above.new) # => "bound, above"

seen = []
hooked = Class.new(above) { define_singleton_method(:method_added) { |name| seen << name }; private :text; public :text }
mod = Module.new do
  define_singleton_method(:singleton_method_added) { |name| seen << [name] }
  def copied = 1
  module_function :copied
end
p seen # => [:text, [:singleton_method_added], [:copied]]

# While other threads call.
shared = Module.new { def value = 1 }
classes = Array.new(20) { Class.new { include shared } }
stop = false
threads = 3.times.map { Thread.new { classes.each { |k| k.new.value.between?(1, 9) or raise "bad" } until stop } }
8.times { |n| shared.prepend(Module.new { define_method(:value) { n + 2 } }) }
stop = true
threads.each(&:join)
p classes.map { |k| k.new.value }.uniq # => [9]
