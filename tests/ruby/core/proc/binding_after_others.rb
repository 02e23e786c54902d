# A block's Binding shows the locals as they are when it is made, also where an earlier Proc had moved the scope to the heap; and what
# a Binding has set stays set.
def seen(&block) = eval("[a, b]", block.binding)

def after_another
  other = proc { 1 }
  a = 5
  b = [other.call]
  seen {}
end
p after_another # => [5, [1]]
60.times { after_another }
p after_another # => [5, [1]]

def around
  keep = proc {}
  a = 1
  [2].each do |x|
    b = x
    keep = seen {}
  end
  keep
end
p around # => [1, 2]

def made
  first = proc {}
  a = 7
  b = first.arity
  proc {}
end
p eval("[a, b]", made.binding) # => [7, 0]

def set
  block = proc {}
  a = 1
  b = 2
  block.binding.local_variable_set(:a, 10)
  proc {}
  seen(&block)
end
p set # => [10, 2]

def parameter(a = seen {}, b = 3) = a
p parameter # => [nil, nil]
