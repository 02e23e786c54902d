# Procs and lambdas that take everything in an Array are called with values, with an Array of them, and with keywords.
everything = ->(*all) { all }
block = proc { |*all| all }
list = [1, 2]
(GC.stress ? 10 : 20_000).times { everything.call(*list) && everything.(1) && block.call(*list) }

p everything.call # => []
p everything.call(1, 2) # => [1, 2]
p everything.call(*list) # => [1, 2]
p everything.call(*[]) # => []
p everything.call([1, 2]) # => [[1, 2]]
p block.call([1, 2]) # => [[1, 2]]
p block.call(*[[1, 2]]) # => [[1, 2]]
p everything.call(*list, a: 1) # => [1, 2, {a: 1}]
p everything.call(*[1, { a: 1 }]) # => [1, {a: 1}]
p everything.call(*[], **{}) # => []
p everything.call(list).first.equal?(list) # => true

# What the callee has is its own.
given = everything.call(*list)
given << 3
p list # => [1, 2]
p given.equal?(everything.call(*given)) # => false

# Each call has its own Array in a closure that outlives it.
makers = Array.new(3) { |i| everything.call(i, i * 2) }
p makers # => [[0, 0], [1, 2], [2, 4]]
counter = ->(*all) { -> { all << all.size } }
one, two = counter.call(*list), counter.call
one.call
p [one.call, two.call] # => [[1, 2, 2, 3], [0]]

# `yield` and numbered places
def give(&) = yield(*[1, 2])
p give { |*all| all } # => [1, 2]
def pass(&block) = block.call(*[4, 5], &nil)
p pass { |*all| all } # => [4, 5]
def early = ->(*all) { return all.sum }.call(*[1, 2, 3])
p early # => 6
p ->(*all) { raise ArgumentError, all.join("-") }.call(*list) rescue p $!.message # => "1-2"
