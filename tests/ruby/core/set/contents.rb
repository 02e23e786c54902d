# What holds the elements may not be there, or not what it should be: no reason to crash.
p Set.allocate.size # => 0
p Set.allocate << 1 # => Set[1]
p Class.new(Set) { def initialize = nil }.allocate.add(2).to_a # => [2]

# What a program keeps under any name is its own.
set = Set[1]
set.instance_variable_set(:@hash, 5)
p set, set.size, set.instance_variables # => Set[1]
# => 1
# => [:@hash]
forgotten = Class.new(Set) { def initialize(*) = @table = 3 }
p forgotten.new([1]).size, forgotten.new.add(2).to_a, forgotten.new.freeze.include?(1), forgotten.new == Set[] # => 0
# => [2]
# => false
# => true
