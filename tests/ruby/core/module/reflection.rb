# Ancestors, instance methods, visibility, definition and removal.
module Walk; def walk = :walk; end
module Swim; def swim = :swim; end
class Animal
  include Walk
  attr_reader :name
  attr_writer :age
  attr_accessor :color
  def self.create(...) = new(...)
  def pub = 1
  private
  def priv = 2
  protected
  def prot = 3
  public
  def again = 4
  private def inline = 5
  private attr_reader :hidden
end
class Fish < Animal
  include Swim
  prepend Comparable
end
p Fish.ancestors.take(5), Fish.include?(Walk), Fish.included_modules.include?(Comparable)
p Animal.instance_methods(false).sort, Animal.private_instance_methods(false).sort, Animal.protected_instance_methods
p Fish < Animal, Animal <= Animal, Animal > Fish, Fish <=> Animal, Animal <=> Fish, Fish <=> String, Fish < String
p Animal.method_defined?(:pub), Animal.method_defined?(:priv), Animal.private_method_defined?(:priv)
p Fish.method_defined?(:pub, false), Fish.public_method_defined?(:pub), Animal.protected_method_defined?(:prot)
p Fish.superclass, Fish.instance_method(:swim).owner, Animal.subclasses, Fish.singleton_class?
%i[priv prot nope].each do |m|
  Fish.new.public_send(m)
rescue NoMethodError => e
  p e.name
end
class Animal
  p define_method(:made) { |x = 1| x }
  p alias_method(:made_too, :made), (attr_accessor :q)
  public :priv
  p remove_method(:again), undef_method(:pub)
end
p Animal.new.priv, Animal.new.made, Animal.new.made_too(5)
begin
  Fish.new.pub
rescue NoMethodError => e
  p e.name
end
begin
  Animal.send(:remove_method, :zzz)
rescue NameError => e
  puts e.message[/method .zzz. not defined in Animal/] && "not defined"
end
module Tools
  module_function
  def helper(x) = x * 2
end
p Tools.helper(2), Tools.private_instance_methods
module More
  def other = :other
  module_function :other
end
p More.other
class Hooked
  def self.method_added(m) = puts("added #{m}")
  def self.inherited(c) = puts("inherited #{c.name.inspect}")
  def self.singleton_method_added(m) = puts("single #{m}")
  def one = 1
  attr_reader :two
  def self.three = 3
end
Class.new(Hooked)
class Named < Hooked; end
module Hooks
  def self.included(base) = puts("included #{base}")
  def self.extended(base) = puts("extended")
  def self.prepended(base) = puts("prepended #{base}")
end
class A1; include Hooks; end
class A2; prepend Hooks; end
Object.new.extend(Hooks)
p Class.new.name, Module.new.to_s.start_with?("#<Module:0x")
C = Class.new(StandardError) { def message = "custom" }
p C.name, C.new.message
p Object.const_get("Process::Status") == Process::Status rescue p $!.class
p Animal.const_set(:LIMIT, 3), Animal.const_get(:LIMIT), Animal.constants, Animal.const_defined?(:String), Animal.const_defined?(:String, false)
p Animal.send(:remove_const, :LIMIT), Animal.constants
begin
  Animal.const_get(:lower)
rescue NameError => e
  puts e.message
end
begin
  Animal::NOPE
rescue NameError => e
  puts e.message
end
class Animal
  SECRET = 1
  private_constant :SECRET
  @@count = 1
end
begin
  Animal::SECRET
rescue NameError => e
  puts e.message
end
p Animal.class_variables, Animal.class_variable_get(:@@count), Fish.class_variable_defined?(:@@count)
p Animal.class_variable_set(:@@count, 4), Fish.class_variable_get(:@@count), Animal.remove_class_variable(:@@count)
p Comparable.instance_of?(Module), Class.new(String).allocate, Module === Kernel, Animal === Fish.new
begin
  Integer.allocate
rescue TypeError => e
  puts e.message
end
begin
  Class.new(1)
rescue TypeError => e
  puts e.class
end
p Animal.singleton_class.inspect, Animal.instance_methods.include?(:walk)

# => [Comparable, Fish, Swim, Animal, Walk]
# => true
# => true
# => [:again, :age=, :color, :color=, :name, :prot, :pub]
# => [:hidden, :inline, :priv]
# => [:prot]
# => true
# => true
# => true
# => -1
# => 1
# => nil
# => nil
# => true
# => false
# => true
# => false
# => true
# => true
# => Animal
# => Swim
# => [Fish]
# => false
# => :priv
# => :prot
# => :nope
# => :made
# => :made_too
# => [:q, :q=]
# => Animal
# => Animal
# => 2
# => 1
# => 5
# => :pub
# => not defined
# => 4
# => [:helper]
# => :other
# => single singleton_method_added
# => added one
# => added two
# => single three
# => inherited nil
# => inherited "Named"
# => included A1
# => prepended A2
# => extended
# => nil
# => true
# => "C"
# => "custom"
# => true
# => 3
# => 3
# => [:LIMIT]
# => true
# => false
# => 3
# => []
# => wrong constant name lower
# => uninitialized constant Animal::NOPE
# => private constant Animal::SECRET referenced
# => [:@@count]
# => 1
# => true
# => 4
# => 4
# => 4
# => true
# => ""
# => true
# => true
# => allocator undefined for Integer
# => TypeError
# => "#<Class:Animal>"
# => true
# parallel: no, it defines methods of Object, which all threads see
