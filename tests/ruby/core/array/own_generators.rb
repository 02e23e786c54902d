# Random and objects of it are drawn from whatever their methods are; other generators are asked.
class Mine < Random
  def rand(*) = raise("asked")
end
p [1, 2, 3, 4, 5].shuffle(random: Mine.new(42)) == [1, 2, 3, 4, 5].shuffle(random: Random.new(42)) # => true
p [1, 2, 3, 4, 5].shuffle(random: Random.new(42)) # => [2, 5, 3, 1, 4]

class Last
  def rand(n) = n - 1
end
p [1, 2, 3].shuffle(random: Last.new) # => [1, 2, 3]
p [1, 2, 3].sample(random: Last.new) # => 3

def Random.rand(*) = raise("asked")
p [1, 2, 3].shuffle.sort # => [1, 2, 3]
p [7].sample # => 7
