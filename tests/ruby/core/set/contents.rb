# What holds the elements may not be there, or not what it should be: no reason to crash.
p Set.allocate.size # => 0
p Set.allocate << 1 # => Set[1]
p Class.new(Set) { def initialize = nil }.allocate.add(2).to_a # => [2]

set = Set[1]
set.instance_variable_set(:@hash, 5)
%i[size empty? to_a inspect hash].each do |name|
  set.public_send(name)
rescue NoMethodError, TypeError => e
  puts "#{name}: #{e.class}"
end
# => size: TypeError
# => empty?: TypeError
# => to_a: NoMethodError
# => inspect: NoMethodError
