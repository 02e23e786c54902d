# args: -w
# Under -w a definition that takes the place of another one is told, unless that has another name.
module Warning
  def self.warn(text, **) = puts(text.sub(/^.*?:(\d+)/, 'line \1'))
end

class A
  def a = 1
  def a = 2 # => line 9: warning: method redefined; discarding old a
  # => line 8: warning: previous definition of a was here
  def b = 1
  alias c b
  def b = 2
  define_method(:d) { 1 }
  define_method(:d) { 2 } # => line 15: warning: method redefined; discarding old d
  # => line 14: warning: previous definition of d was here
  attr_reader :e
  attr_reader :e # => line 18: warning: method redefined; discarding old e
  undef e
  def e = 1
  def self.f = 1
  def self.f = 2 # => line 22: warning: method redefined; discarding old f
  # => line 21: warning: previous definition of f was here
end

class B < A
  def a = 3
  def object_id = 1 # => line 28: warning: redefining 'object_id' may cause serious problems
  remove_method :object_id # => line 29: warning: removing 'object_id' may cause serious problems
  undef_method :__id__ # => line 30: warning: undefining '__id__' may cause serious problems
  # => line 30: warning: redefining '__id__' may cause serious problems
end

module Kernel
  def pp(*) = nil
end

class String
  def upcase = "A" # => line 39: warning: method redefined; discarding old upcase
end

class C
  def self.hide = private # => line 43: warning: calling private without arguments inside a method may not have the intended effect
  hide
end
Module.new { def self.f = module_function; f } # => line 46: warning: calling module_function without arguments inside a method may not have the intended effect

$VERBOSE = false
class A
  def a = 4
end
p A.new.a # => 4

# An alias of itself says that a method is to be replaced.
$VERBOSE = true
class C
  def a = 1
  alias_method :a, :a
  def a = 2
  alias a a
  def a = 3
  def a = 4 # => line 62: warning: method redefined; discarding old a
  # => line 61: warning: previous definition of a was here
end
