# Fiber.new takes any arguments but keywords as none, and complains of them beside keywords.
class Own < Fiber; end
p Fiber.new(1, 2) { |x| x }.resume(3), Own.new({ storage: 4 }) { |x| x }.resume(5) # => 3
# => 5
p((Fiber.new(1, storage: nil) {} rescue $!)) # => #<ArgumentError: wrong number of arguments (given 1, expected 0)>
p((Fiber.new(foo: 1) {} rescue $!)) # => #<ArgumentError: unknown keyword: :foo>
p (Fiber.new(1) rescue $!) # => #<ArgumentError: tried to create Proc object without a block>
