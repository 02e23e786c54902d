# Call sites of resume and Fiber.yield whatever these may be there.

def go(x) = x.resume
def go_with(x, v) = x.resume(v)
def give(v) = Fiber.yield(v)

f = Fiber.new { |v| 3.times { |i| v = give([i, v]) }; :end }
p go_with(f, :a), go(f), go_with(f, :b), go(f) # => [0, :a]
# => [1, nil]
# => [2, :b]
# => :end
begin
  go(f)
rescue FiberError => e
  puts e.message # => attempt to resume a terminated fiber
end

# The same sites with other receivers.
class Player
  def resume(*args) = [:player, args]
end
p go(Player.new), go_with(Player.new, 1) # => [:player, []]
# => [:player, [1]]
[1, nil, :s, 1.5, BasicObject.new].each do |x|
  go(x)
rescue NoMethodError => e
  puts e.message[/undefined method .resume./].tr("`", "'")
end
# => undefined method 'resume'
# => undefined method 'resume'
# => undefined method 'resume'
# => undefined method 'resume'
# => undefined method 'resume'
f = Fiber.new { loop { Fiber.yield :again } }
3.times { p go(f) } # => :again
# => :again
# => :again

# Subclasses, singleton methods.
class Own < Fiber
  def resume(*) = [:own, super]
end
f = Own.new { Fiber.yield 1; 2 }
p go(f), go(f) # => [:own, 1]
# => [:own, 2]
class Plain < Fiber
end
f = Plain.new { Fiber.yield 1; 2 }
p go(f), go(f) # => 1
# => 2
f = Fiber.new { Fiber.yield 1; Fiber.yield 2 }
p go(f) # => 1
def f.resume = [:single, super]
p go(f) # => [:single, 2]

# Another constant named Fiber.
class Harvest
  class Fiber
    def self.yield(*args) = [:grain, args]
  end
  def self.reap = Fiber.yield
  def self.sow = Fiber.yield(1)
end
p Harvest.reap, Harvest.sow # => [:grain, []]
# => [:grain, [1]]

# Refinements.
module Noisy
  refine Fiber do
    def resume(*) = [:noisy, super]
  end
  refine Fiber.singleton_class do
    def yield(*) = super(:noisy)
  end
end
f = Fiber.new { 3.times { Fiber.yield :quiet } }
p go(f) # => :quiet
module Loud
  using Noisy
  def self.go(x) = x.resume
  def self.give(v) = Fiber.yield(v)
end
p Loud.go(f), go(f) # => [:noisy, :quiet]
# => :quiet
f = Fiber.new { Loud.give(1); give(2) }
p go(f), go(f) # => :noisy
# => 2

# Where a fiber waits.
def wait_here = Fiber.yield
f = Fiber.new { wait_here }
f.resume
puts f.backtrace.first[/in .*/].tr("`", "'") # => in 'Fiber.yield'
puts f.backtrace[1][/in .*/].tr("`", "'") # => in 'Object#wait_here'

# Redefined, under sites that have run.
class Fiber
  alias old_resume resume
  def resume(*args) = [:new, old_resume(*args)]
  class << self
    alias old_yield yield
    def yield(*args) = old_yield(:changed, *args)
  end
end
f = Fiber.new { give(1); Fiber.yield; 3 }
p go(f), go(f), go(f) # => [:new, [:changed, 1]]
# => [:new, :changed]
# => [:new, 3]
