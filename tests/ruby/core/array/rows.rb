# Combinations, permutations, products and `transpose`, whose rows are made natively.
p [1, 2, 3].combination(2).to_a # => [[1, 2], [1, 3], [2, 3]]
p [1, 2].combination(0).to_a, [1, 2].combination(3).to_a, [1, 2].combination(-1).to_a # => [[]]
# => []
# => []
p [1, 2, 3].permutation.to_a # => [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]
p [1, 2, 3].permutation(2).to_a # => [[1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]]
p [1, 2].permutation(0).to_a, [].permutation.to_a, [1].permutation(2).to_a # => [[]]
# => [[]]
# => []
p (0...7).to_a.permutation(4).to_a == (0...7).to_a.repeated_permutation(4).select { |row| row.uniq == row } # => true
p (0...8).to_a.combination(5).to_a == (0...8).to_a.permutation(5).select { |row| row.sort == row } # => true
p [1, 2].repeated_combination(2).to_a, [1, 2].repeated_permutation(2).to_a # => [[1, 1], [1, 2], [2, 2]]
# => [[1, 1], [1, 2], [2, 1], [2, 2]]

# The block may change the receiver.
list = [1, 2, 3]
p list.permutation(2).each { |row| list.clear }, list # => []
# => []

p [1, 2].product, [1, 2].product([3], [4, 5]) # => [[1], [2]]
# => [[1, 3, 4], [1, 3, 5], [2, 3, 4], [2, 3, 5]]
p [1].product([]), [].product([1]), [1, 2].product([:a, nil]) # => []
# => []
# => [[1, :a], [1, nil], [2, :a], [2, nil]]
rows = []
pair = [1, 2]
p pair.product([3, 4]) { |row| rows << row; pair << 9 }.equal?(pair), rows # => true
# => [[1, 3], [1, 4], [2, 3], [2, 4]]
p [1].product([]) { raise } # => [1]
like = Object.new
def like.to_ary = [7, 8]
p [1].product(like), [[1, 2], like].transpose # => [[1, 7], [1, 8]]
# => [[1, 7], [2, 8]]
begin
  [1].product(2)
rescue TypeError => e
  p e.message # => "no implicit conversion of Integer into Array"
end
begin
  ([0] * 1000).product(*[[0] * 1000] * 7)
rescue RangeError => e
  p e.message # => "too big to product"
end
sub = Class.new(Array)
p sub[1].product(sub[2]).class, sub[sub[1]].transpose.map(&:class) # => Array
# => [Array]

p [[1, 2], [3, 4], [5, 6]].transpose, [].transpose, [[], []].transpose # => [[1, 3, 5], [2, 4, 6]]
# => []
# => []
p [(0...3000).to_a, (0...3000).to_a].transpose[2999] # => [2999, 2999]
[[[1], [1, 2]], [[1], 2], [1]].each do |bad|
  bad.transpose
rescue IndexError, TypeError => e
  p e.class, e.message
end
# => IndexError
# => "element size differs (2 should be 1)"
# => TypeError
# => "no implicit conversion of Integer into Array"
# => TypeError
# => "no implicit conversion of Integer into Array"
