# Corners that generated programs found.
def try
  yield
rescue StandardError => e
  "#{e.class}: #{e.message}"
end

# What counts must fit a machine word.
puts try { { a: 1 }.take(-2**70) } # => RangeError: bignum too big to convert into 'long'
puts try { (1..3).each_slice(2**70) {} } # => RangeError: bignum too big to convert into 'long'
puts try { [1, 2].combination(2**64).to_a } # => RangeError: bignum too big to convert into 'long'
p try { [1, 2].each.with_index(2**70).to_a } # => [[1, 1180591620717411303424], [2, 1180591620717411303425]]
p 5.digits(2**70) # => [5]

# A Hash's Proc takes a key.
p({ a: 1 }.to_proc.arity, { a: 1 }.to_proc.parameters) # => 1
# => [[:req]]

p(-1e-320.ceil(2), -1e-320.truncate(2)) # => 0.0
# => 0.0

# One element needs no block, but what to do with more has to be said.
p [1].inject(:+), [].reduce(:+), { a: 1 }.inject(:+), (1..1).reduce(:+) # => 1
# => nil
# => [:a, 1]
# => 1
puts try { [1, 2].inject } # => ArgumentError: wrong number of arguments (given 0, expected 1..2)
puts try { (1..2).inject } # => ArgumentError: wrong number of arguments (given 0, expected 1..2)

# An Array's bsearch looks at the upper one of two in the middle.
seen = []
(0...8).to_a.bsearch { |x| seen << x; nil }
p seen # => [4, 6, 7]
seen = []
p((0...8).to_a.bsearch { |x| seen << x; x >= 1 }, seen) # => 1
# => [4, 2, 1, 0]
