# args: -w
def attempt
  p yield
rescue StandardError, NotImplementedError => e
  puts "#{e.class}: #{e.message}"
end

# A BasicObject has no `nil?`, and what stands for another object is asked.
attempt { Object.new.nil? } # => false
attempt { BasicObject.new.nil? } # => NoMethodError: undefined method 'nil?' for an instance of BasicObject
class Proxy < BasicObject
  def initialize(of) = @of = of
  def method_missing(name, ...) = @of.__send__(name, ...)
end
p Proxy.new(nil).nil?, Proxy.new(1).nil?, Object.new.nil?, nil.nil?
# => true
# => false
# => false
# => true

# Classes without `new`.
attempt { Integer.new } # => NoMethodError: undefined method 'new' for class Integer
attempt { Float.new } # => NoMethodError: undefined method 'new' for class Float
attempt { Encoding.new } # => NoMethodError: undefined method 'new' for class Encoding
attempt { Integer.allocate } # => TypeError: allocator undefined for Integer

attempt { 1.instance_exec } # => LocalJumpError: no block given
attempt { Object.class_exec } # => LocalJumpError: no block given
p Struct.new("OfNothing").new, Struct.new.new, Struct.new(:a).new(" ")
# => #<struct Struct::OfNothing>
# => #<struct >
# => #<struct a=" ">

# What is told of methods that others rely on.
class Object
  def respond_to_missing?(*) = super
  # stderr: warning: redefining Object#respond_to_missing? may cause infinite loop
  private def method_missing(*) = super
  # stderr: warning: redefining Object#method_missing may cause infinite loop
end
module Kernel
  def respond_to_missing?(*) = false
end
class BasicObject
  private def method_missing(name, *) = ::Kernel.raise(::NoMethodError, "no #{name}")
end
attempt { 1.something } # => NoMethodError: no something

# A class's singleton class sees its class variables.
class WithVariables
  @@one = 1
  singleton_class.class_variable_set(:@@two, 2)
end
p WithVariables.singleton_class.class_variables, WithVariables.class_variables
# => [:@@two, :@@one]
# => [:@@one]
p WithVariables.singleton_class.class_variables(false) # => [:@@two]
p WithVariables.new.singleton_class.class_variables # => [:@@one]

p "-0x.8".to_f, "+0x.8p1".to_f, "0x.8".to_f
# => -0.5
# => 1.0
# => 0.0
