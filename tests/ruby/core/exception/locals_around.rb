# A NameError knows the locals of the scopes around the code that did not find the name.
first_name = 1
def locals
  yield
rescue NameError => e
  e.local_variables
end
p locals { |y| zz = 1; [1].each { |x| unknown } } # => [:x, :y, :zz, :first_name, :e]
def deep(q, k: 1)
  a = 1
  outer = proc { |b| c = 1; ->(d) { e = 2; unknown } }
  locals { outer.call(1).call(2) }
end
p deep(1) # => [:d, :e, :b, :c, :q, :k, :a, :outer]
p locals { eval("inner = 1; unknown") } # => [:inner, :first_name, :e]
begin
  [1].each { frst_name }
rescue NameError => e
  puts e.detailed_message(highlight: false).lines.last # => Did you mean?  first_name
end
