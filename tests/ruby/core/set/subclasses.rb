# Subclasses of Set keep what the set library promised; those of Set::CoreSet are as Set is.
class Doubling < Set
  def add(value) = super(value * 2)
end
class Core < Set::CoreSet
  def add(value) = super(value * 2)
end
p Doubling.new([1, 2]), Core.new([1, 2]), Core[3], Set[1]
# => #<Doubling: {2, 4}>
# => Core[1, 2]
# => Core[3]
# => Set[1]
p Core.superclass, Set::CoreSet.superclass # => Set::CoreSet
# => Set
