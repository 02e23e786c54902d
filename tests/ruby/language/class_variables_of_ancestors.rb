# Which ancestor's class variable is read and written, while they come and go.
class Base
  @@x = 1
  def self.x = @@x
  def self.x=(v)
    @@x = v
  end
end

class Child < Base
  def self.own = @@x
  def self.own=(v)
    @@x = v
  end
  class << self
    def single = @@x
  end
end
module Extra; end

def ask(n = 1) = n.times.map { [Base.x, Child.own, Child.single] }.last
p ask(100) # => [1, 1, 1]
Child.own = 2
p ask(100), Base.class_variables(false), Child.class_variables(false) # => [2, 2, 2]
# => [:@@x]
# => []
Base.x = nil
p ask, Base.class_variable_get(:@@x) # => [nil, nil, nil]
# => nil
Base.remove_class_variable(:@@x)
begin
  Child.own
rescue NameError => e
  p e.message # => "uninitialized class variable @@x in Child"
end
Child.own = 3
p Child.own, Child.class_variables(false), Base.class_variable_defined?(:@@x) # => 3
# => [:@@x]
# => false
Base.class_variable_set(:@@x, 4)
begin
  Child.own
rescue RuntimeError => e
  p e.message # => "class variable @@x of Child is overtaken by Base"
end
begin
  Child.own = 5
rescue RuntimeError => e
  p e.message # => "class variable @@x of Child is overtaken by Base"
end
Child.remove_class_variable(:@@x)
p Child.own # => 4
Base.remove_class_variable(:@@x)
Base.include(Extra)
Extra.class_variable_set(:@@x, 6)
p ask # => [6, 6, 6]
Child.own = 7
p Extra.class_variable_get(:@@x), Child.singleton_class.class_variable_get(:@@x), Child.singleton_class.class_variable_defined?(:@@x) # => 7
# => 7
# => true
Extra.freeze
begin
  Child.own = 8
rescue FrozenError => e
  p e.message # => "can't modify frozen Module: Extra"
end
