# NameError#local_variables: what DidYouMean compares a name with.
def missing(first, second = 1)
  third = 2
  frist + third
rescue NameError => e
  p e.local_variables.sort
end
missing(0) # => [:e, :first, :second, :third]
p NameError.new("x").local_variables # => []
