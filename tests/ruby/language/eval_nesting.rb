# Blocks with another self define methods there, but see and set the constants of where they are written.
module Outer
  HERE = 1
  OBJECT = Object.new
  OBJECT.instance_exec do
    class Made; end
    SET = HERE + 1
    def own_method = 3
  end
end
object = Outer::OBJECT
p Outer::Made, Outer::SET # => Outer::Made
# => 2
p object.own_method # => 3
p object.singleton_methods # => [:own_method]

klass = Class.new
klass.class_eval do
  BESIDE = :top
  def self.hello = :hello
  def there = BESIDE
end
p BESIDE, klass.hello, klass.new.there # => :top
# => :hello
# => :top
klass.class_eval "INSIDE = 5"
p klass::INSIDE # => 5
p klass.class_eval { Module.nesting } # => []
p klass.class_eval("Module.nesting.size") # => 1

block = Outer.module_eval("proc { HERE }")
p Object.new.instance_exec(&block) # => 1

begin
  1.instance_eval { def none = 1 }
rescue TypeError => e
  puts e.message # => can't define singleton
end
begin
  :a.instance_eval { alias b to_s }
rescue TypeError => e
  puts e.message # => can't define singleton
end
nil.instance_eval { def of_nil = 4 }
p nil.of_nil # => 4
other = Object.new
other.instance_eval { 1 }
p other.singleton_methods # => []

# Below BasicObject the constants of Object are not seen.
class Bare < BasicObject
  def self.kernel = defined?(Kernel)
  def self.own = defined?(BasicObject)
end
p Bare.kernel, Bare.own # => nil
# => "constant"
# parallel: no, Module.nesting shows the module it is loaded into
