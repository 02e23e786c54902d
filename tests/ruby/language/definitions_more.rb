# Corners of definitions: names, owners, privacy, visibility, class variables.
Thing = 1
begin
  class Thing; end
rescue TypeError => e
  puts e.message # => Thing is not a class
  # => tests/ruby/language/definitions_more.rb:2: previous definition of Thing was here
end

parent = Class.new { def a = 1 }
child = Class.new(parent) { alias b a }
p child.instance_method(:b).owner == child, child.instance_method(:a).owner == parent # => true
# => true

a, b, c = Module.new, Module.new, Class.new
a::B = b
b::C = c
p c.name.start_with?("#<Module:0x"), c.name.end_with?("::B::C") # => true
# => true
Named = a
p b, c # => Named::B
# => Named::B::C

class Base; end
class Derived < Base; end
Derived.class_variable_set(:@@x, 1)
Base.class_variable_set(:@@x, 2)
begin
  Derived.class_variable_get(:@@x)
rescue RuntimeError => e
  puts e.message # => class variable @@x of Derived is overtaken by Base
end

module Hidden
  module Secret; end
  private_constant :Secret
end
begin
  module Hidden::Secret; end
rescue NameError => e
  puts e.message # => private constant Hidden::Secret referenced
  p e.receiver # => Hidden
end
def Hidden.const_missing(name) = name
p Hidden::Secret # => :Secret

module Outside
  private
  -> { def shielded; end }.call
  eval "def shielded_too; end"
  [1].each { public }
  def open; end
end
p Outside.private_instance_methods(false) # => [:shielded, :shielded_too]
p Outside.instance_methods(false) # => [:open]

def leaves
  class << self
    return :inner
  end
  :outer
end
p leaves # => :inner
begin
  eval "def m; class << self; yield; end; end"
rescue SyntaxError => e
  puts e.message[/Invalid yield/] # => Invalid yield
end

class Low
  class << self
    class << self
      def deep = :deep
    end
  end
end
class Lower < Low; end
p Lower.singleton_class.deep # => :deep

begin
  Object.new.freeze.instance_eval { def x; end }
rescue FrozenError => e
  puts e.message[/\Acan't modify frozen Object: /] # => can't modify frozen Object: 
end
hash = [1]
p defined?(hash[0] = 2) # => "method"
def `(text) = text.frozen?
p `ls` # => true
$. = 3
p (1..5).select { |i| true if (i == 2)..3 } # => [2]

at_exit { puts $!.message } # => late
at_exit { raise "late" }
# error: RuntimeError: late
# parallel: no, at_exit runs when the process ends
