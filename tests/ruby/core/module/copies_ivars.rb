# Copies of classes and modules have their instance variables, as their singleton classes' copies have.
class Counted
  @count = 1
  class << self
    attr_accessor :count
    @deep = :kept
    def deep = singleton_class.instance_variable_get(:@deep)
  end
end
copy = Counted.dup
p copy.count # => 1
copy.count += 1
p [Counted.count, Counted.clone.count] # => [1, 1]
p Counted.clone.deep # => :kept
mod = Module.new.tap { _1.instance_variable_set(:@a, [1]) }
p mod.clone.instance_variable_get(:@a).equal?(mod.instance_variable_get(:@a)) # => true
p Class.new(Counted).dup.instance_variables # => []
