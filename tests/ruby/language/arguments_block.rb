# Block arguments: yield, &block, block_given?, symbols and methods as blocks.
def twice
  return :none unless block_given?

  [yield(1), yield(2)]
end
p twice # => :none
p twice { |x| x * 10 } # => [10, 20]

def keep(&block) = block
p keep # => nil
p keep { 1 }.call # => 1
p keep { |a, b = 2, *c| }.arity # => -2

def pass_on(&block) = twice(&block)
p pass_on { |x| x + 1 } # => [2, 3]
p pass_on # => :none

p %w[a b].map(&:upcase) # => ["A", "B"]
p [1, 2, 3].inject(&:+) # => 6
p [[1, 2], [3, 4]].map(&:sum) # => [3, 7]
def double(x) = x * 2
p [1, 2].map(&method(:double)) # => [2, 4]
p [1, 2].each_with_index.map { |x, i| x * i } # => [0, 2]

# A block takes an array apart if it has more than one parameter.
p [[1, 2], [3, 4]].map { |a, b| a + b } # => [3, 7]
p [[1, 2], [3, 4]].map { |a| a } # => [[1, 2], [3, 4]]
p [[1, [2, 3]]].map { |a, (b, c)| [a, b, c] } # => [[1, 2, 3]]
p [[1, 2, 3]].map { |a, *b| [a, b] } # => [[1, [2, 3]]]
p [[1, 2]].map { |a, | a } # => [1]
p [1].map { |a, b| [a, b] } # => [[1, nil]]

def yield_two = yield(1, 2)
p(yield_two { |a| a }) # => 1
p(yield_two { |a, b, c| [a, b, c] }) # => [1, 2, nil]
p(yield_two { |*a| a }) # => [1, 2]
p yield_two { _1 + _2 } # => 3
p [5].map { _1 + 1 } # => [6]

def yield_keywords = yield(1, k: 2)
p(yield_keywords { |a, k:| [a, k] }) # => [1, 2]

x = 10
[1].each { |i; x| x = i }
p x # => 10
twice { |i| x += i }
p x # => 13
