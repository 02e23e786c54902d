# A lambda as the block of a method that makes one Array of what `each` yields: the Array is spread.
second = ->(x, i) { i == 1 }
pairs = [5, 6].each_with_index
p pairs.select(&second), pairs.find(&second), pairs.reject(&second), pairs.partition(&second)
# => [[6, 1]]
# => [6, 1]
# => [[5, 0]]
# => [[[6, 1]], [[5, 0]]]
p pairs.group_by(&second), pairs.sort_by(&->(x, i) { -i }), pairs.min_by(&->(x, i) { -i }), pairs.max_by(&->(x, i) { -i })
# => {false => [[5, 0]], true => [[6, 1]]}
# => [[6, 1], [5, 0]]
# => [6, 1]
# => [5, 0]
p pairs.minmax_by(&->(x, i) { i }), pairs.drop_while(&second), pairs.grep(Array, &->(x, i) { x })
# => [[5, 0], [6, 1]]
# => [[5, 0], [6, 1]]
# => [5, 6]
seen = []
pairs.cycle(1, &->(x, i, more = 3) { seen << [x, i, more] })
pairs.each_entry(&->(*all) { seen << all })
p seen # => [[5, 0, 3], [6, 1, 3], [[5, 0]], [[6, 1]]]
# A Method takes what it is given.
def two(x, i) = i
begin
  pairs.select(&method(:two))
rescue ArgumentError => e
  puts e.message # => wrong number of arguments (given 1, expected 2)
end
# The elements of an Array are given as they are.
begin
  [[1, 2]].select(&second)
rescue ArgumentError => e
  puts e.message # => wrong number of arguments (given 1, expected 2)
end
