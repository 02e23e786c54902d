# Singleton methods and classes; class methods are found through the superclass's singleton.
object = Object.new
def object.hello = "hello"
p object.hello, object.singleton_methods
# => "hello"
# => [:hello]
class << object
  def bye = "bye"
  attr_accessor :value
  SECRET = 1
end
object.value = 5
p object.bye, object.value, object.singleton_class::SECRET
# => "bye"
# => 5
# => 1

class Base
  class << self
    def create(*args) = new(*args)
    def inherited(child) = (@children ||= []) << child.name.to_s
    def children = @children
    private def hidden = 1
  end

  def self.describe = "class #{name}"
end
class First < Base; end
class Second < Base
  def self.describe = super + "!"
end
p First.create.class, First.describe, Second.describe
# => First
# => "class First"
# => "class Second!"
p Base.children # => ["First", "Second"]
begin
  Base.hidden
rescue NoMethodError => e
  p e.name # => :hidden
end

p object.singleton_class.inspect.start_with?("#<Class:#<Object:0x") # => true
p Base.singleton_class, Base.singleton_class.singleton_class
# => #<Class:Base>
# => #<Class:#<Class:Base>>
p First.singleton_class.superclass == Base.singleton_class # => true

module Extra
  def extra = "extra #{self.class}"
end
other = +"text"
other.extend(Extra)
p other.extra, other.singleton_class.include?(Extra), other.is_a?(Extra)
# => "extra String"
# => true
# => true
p other.dup.respond_to?(:extra), other.clone.respond_to?(:extra)
# => false
# => true

begin
  one = 1
  def one.x = 1
rescue TypeError => e
  puts e.message # => can't define singleton
end
p nil.singleton_class, true.singleton_class
# => NilClass
# => TrueClass
object.define_singleton_method(:add) { |a, b = 1| a + b }
p object.add(1), object.add(1, 5)
# => 2
# => 6
p object.singleton_method(:add).arity # => -2
class Base
  @level = 1
  @@shared = 10
  def self.level = @level
  def shared = @@shared += 1
end
p Base.level, First.level, First.new.shared, Second.new.shared
# => 1
# => nil
# => 11
# => 12
p Base.class_variable_get(:@@shared), Base.class_variables
# => 12
# => [:@@shared]
