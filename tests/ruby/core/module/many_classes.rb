# Including a module in a class that nobody inherits from, extending an object and defining a method in a class of one's own
# cost the same however many classes there are: these took a minute when each went through all of them.
N = GC.stress ? 100 : 20_000
modules = Array.new(N) { |i| Module.new { define_method(:number) { i } } }
classes = Array.new(N) { Class.new }
classes.each_with_index { |c, i| c.include modules[i] }
p classes.each_with_index.all? { |c, i| c.new.number == i } # => true
classes.each_with_index { |c, i| c.define_method(:number) { super() + 1 } }
p classes.each_with_index.all? { |c, i| c.new.number == i + 1 } # => true
objects = Array.new(N) { |i| Object.new.extend(modules[i]) }
p objects.each_with_index.all? { |o, i| o.number == i } # => true

# What has been cached is forgotten where it must be.
def number(x) = x.number
base = Class.new { def number = 0 }
one = Class.new(base)
two = Class.new(one)
x = two.new
p number(x) # => 0
outer = Module.new { def number = 1 }
one.include outer
p number(x) # => 1
inner = Module.new { def number = [2, super] }
outer.prepend inner
p number(x) # => [2, 1]
inner.define_method(:number) { [3, super()] }
p number(x) # => [3, 1]
inner.remove_method(:number)
p number(x) # => 1
single = x.singleton_class
single.include(Module.new { def number = [4, super] })
p number(x) # => [4, 1]
lone = Module.new
lone.include(Module.new { def other = 5 })
two.include lone
p x.other # => 5
lone.include(Module.new { def other = 6 })
p x.other # => 6
base.define_method(:other) { 7 }
two.prepend(Module.new { def other = [8, super] })
p x.other # => [8, 6]
