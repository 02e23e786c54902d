# What `using` in a text is for: that text, or all code of the Binding.
module One
  refine(Integer) { def one = 1 }
end
module Two
  refine(Integer) { def two = 2 }
end
def attempt
  p yield
rescue NoMethodError => e
  puts e.message
end
attempt { eval("using One; 1.one") } # => 1
attempt { 1.one } # => undefined method 'one' for an instance of Integer
attempt { eval("1.one") } # => undefined method 'one' for an instance of Integer
eval("using One; def later = 1.one")
attempt { later } # => 1
b = binding
attempt { b.eval("using Two; 1.two") } # => 2
attempt { 1.two } # => 2
