# What the block of Array.new does with the Array itself: elements go where their numbers say.
class List < Array; end
p Array.new(4) { |i| break i if i == 2; i } # => 2
y = List.allocate
y.send(:initialize, 4) { |i| y.clear if i == 2; i }
p y # => [nil, nil, 2, 3]
y.send(:initialize, 3) { |i| y << 9 if i == 1; i }
p y # => [0, 1, 2]
z = List.allocate
z.send(:initialize, 3) { |i| z.freeze if i == 1; i } rescue p $!.class # => FrozenError
p z # => [0]
