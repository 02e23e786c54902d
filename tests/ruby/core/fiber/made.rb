# A fiber made at a call of `new`, and what the first values become.

p Fiber.new { |a,| a }.resume([1, 2])
p Fiber.new { |a| a }.resume([1, 2])
p Fiber.new { |a, b| [a, b] }.resume([1, 2])
p Fiber.new { 7 }.resume(1, 2)
# => 1
# => [1, 2]
# => [1, 2]
# => 7

def make = Fiber.new { |x| Fiber.yield(x); :end }

f = make
p f.resume(1), f.resume, f.alive?
# => 1
# => :end
# => false

# The class of what is made, and its `initialize`, may be others the next time.
class Sub < Fiber
  def initialize(&block)
    @seen = true
    super
  end
  attr_reader :seen
end
made = [Fiber, Sub, Fiber].map { |c| c.new { :ran } }
p made.map(&:class), made.map(&:resume), made[1].seen
# => [Fiber, Sub, Fiber]
# => [:ran, :ran, :ran]
# => true

module Counted
  def initialize(...)
    $made = $made.to_i + 1
    super
  end
end
2.times do |i|
  Fiber.prepend(Counted) if i == 1
  2.times { p Fiber.new { :counted }.resume }
end
p $made
# => :counted
# => :counted
# => :counted
# => :counted
# => 2

# What a fiber closes over outlives its maker, one made in a loop has its own.
fibers = 3.times.map { |i| Fiber.new { Fiber.yield i; i += 10; i } }
p fibers.map(&:resume), fibers.map(&:resume)
# => [0, 1, 2]
# => [10, 11, 12]

# What most fibers have nothing of goes with each.
Thread.current[:here] = :root
f = Fiber.new do
  Thread.current[:here] = :fiber
  begin
    raise "inner"
  rescue
    Fiber.yield [$!.message, Thread.current[:here]]
  end
  [$!, Thread.current[:here]]
end
begin
  raise "outer"
rescue
  p f.resume, $!.message, Thread.current[:here]
  p f.resume, $!.message, Thread.current[:here]
end
Thread.current[:here] = nil
# => ["inner", :fiber]
# => "outer"
# => :root
# => [nil, :fiber]
# => "outer"
# => :root

# Ended before it was ever suspended, with a variable of its own.
p 1000.times.map { Fiber.new { Thread.current[:x] = [1]; :done } }.all? { |g| g.resume == :done }
p Thread.current[:x]
# => true
# => nil

# Threads that initialize the same fiber: one of them does.
20.times do
  bare = Fiber.allocate
  results = 4.times.map do
    Thread.new do
      bare.send(:initialize) { :body }
      :made
    rescue FiberError => e
      e.message
    end
  end.map(&:value)
  raise results.inspect unless results.count(:made) == 1 && results.count("cannot initialize fiber twice") == 3
end

# Killed while it waits for another one, and gone on with by that.
outer = nil
inner = nil
log = []
outer = Fiber.new do
  inner = Fiber.new do
    outer.kill
    Fiber.yield :inner
  end
  begin
    inner.resume
    log << :not_here
  ensure
    log << :ensured
  end
end
p outer.resume, outer.alive?, log
# => nil
# => false
# => [:ensured]
