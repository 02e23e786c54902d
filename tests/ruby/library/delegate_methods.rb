# A class made by DelegateClass names the methods of the class it delegates to among its own.
require "delegate"

class Base
  def shown = 1

  protected def guarded = 2
end

class Wrapper < DelegateClass(Base)
  def added = 3
end

p Wrapper.public_instance_methods(false).include?(:shown) # => true
p Wrapper.instance_methods(false).include?(:added) # => true
p Wrapper.instance_methods(false).include?(:guarded) # => true
p Wrapper.protected_instance_methods(false) # => [:guarded]
p Wrapper.instance_method(:shown).name # => :shown
p Wrapper.public_instance_method(:tap).name # => :tap
p (Wrapper.instance_method(:missing) rescue $!) # => #<NameError: undefined method 'missing' for class 'Wrapper'>
p (Wrapper.public_instance_method(:guarded) rescue $!.class) # => NameError
