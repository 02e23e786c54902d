# Required, optional, rest and post parameters share out the arguments from the outside in.
def optional(a, b = a * 2, c = b + 1) = [a, b, c]
p optional(1) # => [1, 2, 3]
p optional(1, 5) # => [1, 5, 6]
p optional(1, 5, 9) # => [1, 5, 9]

def post(a, b = :b, *rest, y, z) = [a, b, rest, y, z]
p post(1, 2, 3) # => [1, :b, [], 2, 3]
p post(1, 2, 3, 4) # => [1, 2, [], 3, 4]
p post(1, 2, 3, 4, 5, 6) # => [1, 2, [3, 4], 5, 6]

def middle(a, *, z) = [a, z]
p middle(1, 2, 3, 4) # => [1, 4]

list = [2, 3]
p post(1, *list) # => [1, :b, [], 2, 3]
p post(*list, *[4, 5], 6) # => [2, 3, [4], 5, 6]
p [*1..3, *nil, *"x", *[4]] # => [1, 2, 3, "x", 4]

def wrong_count
  yield
rescue ArgumentError => e
  puts e.message
  # => wrong number of arguments (given 0, expected 1..3)
  # => wrong number of arguments (given 4, expected 1..3)
  # => wrong number of arguments (given 1, expected 3+)
end
wrong_count { optional }
wrong_count { optional(1, 2, 3, 4) }
wrong_count { post(1) }

def defaults_see_earlier(a, b = (x = a; x + 1), c = x) = [a, b, c]
p defaults_see_earlier(1) # => [1, 2, 1]
p defaults_see_earlier(1, 2) # => [1, 2, nil]

def destructure((a, (b, *c)), d) = [a, b, c, d]
p destructure([1, [2, 3, 4]], 5) # => [1, 2, [3, 4], 5]
p destructure([1], 5) # => [1, nil, [], 5]

def order(*) = nil
trace = []
order((trace << 1; 1), *(trace << 2; []), (trace << 3; 3))
p trace # => [1, 2, 3]
p method(:post).arity, method(:optional).arity, method(:middle).arity
# => -4
# => -2
# => -3
