# Fibers whose native frames lie on several machine stacks: they go on wherever control finds them, and home when a native
# method's block returns, breaks, throws or raises.

# A value goes back through native methods that were left one inside the other.
def nested(depth)
  return Fiber.yield(:bottom) if depth == 0
  [depth, depth].sort { |a, b| Fiber.yield(depth); @last = nested(depth - 1); a <=> b }
  @last
end
f = Fiber.new { nested(4) }
seen = []
while true
  v = f.resume(:answer)
  break unless f.alive?
  seen << v
end
p seen, v # => [4, 3, 2, 1, :bottom]
# => :answer

# Two fibers, each in a native method, take turns.
log = []
one = Fiber.new { [3, 1, 2].sort { |a, b| log << :one; Fiber.yield; a <=> b } }
two = Fiber.new { %w[b c a].sort_by { |s| log << :two; one.resume if one.alive?; Fiber.yield; s } }
results = []
while one.alive? || two.alive?
  r = (two.alive? ? two : one).resume
  results << r if r
end
p results.last, log.count(:two) # => [1, 2, 3]
# => 3

# break, throw, return and raise leave the native method, after a switch each.
f = Fiber.new { [2, 1].sort { |a, b| Fiber.yield 1; break :broken } }
p f.resume, f.resume # => 1
# => :broken
f = Fiber.new { catch(:out) { [2, 1].sort { |a, b| Fiber.yield 1; throw :out, :thrown } } }
p f.resume, f.resume # => 1
# => :thrown
def returns = [2, 1].sort { |a, b| Fiber.yield 1; return :returned }
f = Fiber.new { returns }
p f.resume, f.resume # => 1
# => :returned
f = Fiber.new do
  begin
    [2, 1].sort { |a, b| Fiber.yield 1; raise "oops" }
  rescue => e
    e.message
  ensure
    log = :ensured
  end
end
p f.resume, f.resume, log # => 1
# => "oops"
# => :ensured

# The root fiber does the same.
waiting = Fiber.new { Fiber.yield while true }
p [3, 1, 2].sort { |a, b| waiting.resume; a <=> b } # => [1, 2, 3]
p [3, 1, 2].sort { |a, b| waiting.resume; break :broken } # => :broken
p((begin; [3, 1, 2].sort { |a, b| waiting.resume; raise "root" }; rescue => e; e.message; end)) # => "root"
p catch(:out) { [3, 1, 2].sort { |a, b| waiting.resume; throw :out, 5 } } # => 5
class Made
  def initialize(fiber)
    fiber.resume
    @ok = true
  end
end
p Made.send(:new, waiting).inspect.include?("@ok=true") # => true

# It has its whole machine stack for native recursion, before and after it has resumed a fiber.
def levels(n)
  [2, 1].sort { |a, b| n > 0 ? levels(n - 1) : 0; 0 }
  n
end
p levels(800) # => 800
waiting.resume
p levels(800) # => 800

# Killed and raised into, inside a native method that was left.
f = Fiber.new { begin; [2, 1].sort { Fiber.yield 1; 0 }; ensure; log = :cleaned; end }
f.resume
f.kill
p f.alive?, log # => false
# => :cleaned
f = Fiber.new { begin; [2, 1].sort { Fiber.yield 1; 0 }; rescue => e; e.message; end }
f.resume
p f.raise("into") # => "into"

# A fiber dropped in a native method keeps nothing; a collection sees the values on the stacks it has left.
200.times { Fiber.new { [Object.new, Object.new].sort_by { Fiber.yield; 1 } }.resume }
kept = Fiber.new { list = [+"x", +"y"]; list.sort { |a, b| Fiber.yield; GC.start; a <=> b } }
kept.resume
GC.start
p kept.resume # => ["x", "y"]

# A thread that ends, or is killed, while its root fiber is away from its own machine stack.
p Thread.new { f = Fiber.new { Fiber.yield 7 }; f.resume.tap { f.resume } }.value # => 7
t = Thread.new { f = Fiber.new { Fiber.yield while true }; f.resume; f.resume; sleep }
sleep 0.001 until t.stop?
t.kill
p t.join.equal?(t) # => true

# What a fiber has of its own stays its own.
$! and raise "no error yet"
f = Fiber.new do
  begin
    raise "inner"
  rescue
    Fiber.yield $!.message
    $!.message
  end
end
p f.resume, $!, f.resume # => "inner"
# => nil
# => "inner"
f = Fiber.new { Thread.current[:mine] = 1; Fiber.yield; Thread.current[:mine] }
Thread.current[:mine] = 2
f.resume
p Thread.current[:mine], f.resume, Thread.current[:mine] # => 2
# => 1
# => 2
