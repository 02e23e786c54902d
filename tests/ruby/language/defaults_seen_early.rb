# A parameter whose default has not been evaluated yet is nil for the code of an earlier one.
def by_eval(a = eval("b"), b = 1) = [a, b]
p by_eval # => [nil, 1]
p by_eval(2) # => [2, 1]
p by_eval(2, 3) # => [2, 3]

def by_binding(a = binding.local_variable_get(:b), b = 1) = [a, b]
p by_binding # => [nil, 1]

def from_a_block(a = proc { eval("b") }.call, b = 1) = [a, b]
p from_a_block # => [nil, 1]

# What is given is there from the start, also for the default of another keyword, and so is a keyword's default that is a literal.
def keywords(k: eval("l"), l: 1, m: eval("[k, l, n]"), n: eval("n")) = [k, l, m, n]
p keywords # => [1, 1, [1, 1, nil], nil]
p keywords(l: 5) # => [5, 5, [5, 5, nil], nil]
p keywords(l: 5, n: 6) # => [5, 5, [5, 5, 6], 6]
p keywords(k: nil, l: nil) # => [nil, nil, [nil, nil, nil], nil]

# What an earlier default assigns does not count as given.
def assigned(a = eval("b = 7; 1"), b = 2) = [a, b]
p assigned # => [1, 2]

# A block that keeps the scope.
def kept(a = proc { b }, b = 1)
  a
rescue NameError
  p :unknown
end
def kept_binding(a = proc {}, b = eval("c"), c = 3) = [a.binding.local_variable_get(:c), b]
p kept_binding # => [3, nil]

# The value goes through what internal values must not reach.
h = {}
h[by_eval[0]] = 1
p h.delete(by_eval[0]) # => 1
pr = proc { |a = eval("b"), b = 1| [a, b] }
p pr.call # => [nil, 1]
p pr.call(4) # => [4, 1]
l = ->(a = eval("k"), k: 1) { [a, k] }
p l.call # => [1, 1]
p l.call(k: 2) # => [2, 2]
p method(:by_eval).parameters # => [[:opt, :a], [:opt, :b]]
def names(a = binding, b = 1) = a.local_variables
p names # => [:a, :b]
def plain(a = binding, b = 1) = a
p plain.local_variable_get(:b) # => 1
def lazy(a = proc {}, b = 1, c = 2) = a.binding
# What no block can see is a copy.
p lazy.local_variable_get(:c).then { [nil, 2].include?(_1) } # => true
