# Fibers that resume new fibers without end are deep recursion. (Collected once in a while: 100,000 wait for each other.)
stress = GC.stress
GC.stress = false

depth = 0
nest = lambda do
  depth += 1
  Fiber.new(&nest).resume
end
begin
  nest.call
rescue SystemStackError => e
  p e.message # => "stack level too deep"
end
p depth > 100_000 # => true

# The same from within native methods.
depth = 0
def inside(levels) = levels == 0 ? :deep : [levels].map { |n| Fiber.new { inside(n - 1) }.resume }.first
p inside(5000) # => :deep

# They may go on afterwards.
p Fiber.new { Fiber.new { 1 }.resume + 1 }.resume # => 2

GC.stress = stress
