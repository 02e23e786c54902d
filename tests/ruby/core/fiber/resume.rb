# Values go in and out, errors say what is wrong, jumps stay inside.

def try
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

f = Fiber.new { |*a| p a; p Fiber.yield; p Fiber.yield(1, 2); p Fiber.yield([3]); :end }
p f.resume # => []
# => nil
p f.resume # => nil
# => [1, 2]
p f.resume(1, 2) # => [1, 2]
# => [3]
p f.alive? # => true
p f.resume(7) # => 7
# => :end
p f.alive? # => false
try { f.resume } # => FiberError: attempt to resume a terminated fiber
try { f.transfer } # => FiberError: dead fiber called
try { f.raise "x" } # => FiberError: attempt to resume a terminated fiber
try { Fiber.yield 1 } # => FiberError: attempt to yield on a not resumed fiber
f = Fiber.new { f.resume }
try { f.resume } # => FiberError: attempt to resume the current fiber
f = Fiber.new { 1 }
try { f.raise "a" } # => FiberError: cannot raise exception on unborn fiber
f = Fiber.new { Fiber.yield }
f.resume
try { f.transfer } # => FiberError: attempt to transfer to a yielding fiber
Thread.new { try { f.resume } }.join # => FiberError: fiber called across threads
main = Fiber.current
f = Fiber.new { main.transfer }
f.transfer
try { f.resume } # => FiberError: attempt to resume a transferring fiber
f = Fiber.new { Fiber.new { f.resume }.resume }
try { f.resume } # => FiberError: attempt to resume a resumed fiber (double resume)
f = Fiber.new { main.resume }
try { f.resume } # => FiberError: attempt to resume a resuming fiber
f = Fiber.new { main.transfer }
try { f.resume } # => FiberError: attempt to transfer to a resuming fiber
try { Fiber.new { break }.resume } # => LocalJumpError: break from proc-closure
try { Fiber.new { throw :x }.resume } # => UncaughtThrowError: uncaught throw :x
try { catch(:z) { Fiber.new { throw :z }.resume } } # => UncaughtThrowError: uncaught throw :z
def returning = Fiber.new { return 3 }.resume
try { returning } # => LocalJumpError: unexpected return
try { Fiber.new } # => ArgumentError: tried to create Proc object without a block
try { Fiber.allocate.resume } # => FiberError: uninitialized fiber
try { Fiber.new { |a, b: 1| [a, b] }.resume(1, b: 3) } # => [1, 3]
try { Fiber.new(&:upcase).resume("a") } # => "A"
try { [Fiber.new { 1 }, Fiber.new { 2 }].map(&:resume) } # => [1, 2]
try { Fiber.new { 5 }.method(:resume).call } # => 5
try { Fiber.new { 6 }.public_send(:resume) } # => 6

# Nested fibers return to who resumed them.
log = []
a = Fiber.new { log << :a1; Fiber.yield; log << :a2 }
b = Fiber.new { a.resume; log << :b; Fiber.yield; a.resume; log << :b2 }
b.resume
log << :main
b.resume
p log # => [:a1, :b, :main, :a2, :b2]

# Transfer.
log = []
two = nil
one = Fiber.new { log << 1; two.transfer(:hi); log << 3; :from_one }
two = Fiber.new { |x| log << x; one.transfer; log << :never }
p one.transfer # => :from_one
p log # => [1, :hi, 3]

# An exception goes to who resumed; $! is each fiber's own.
f = Fiber.new { begin; raise "in"; rescue; Fiber.yield $!.message; end; $!.inspect }
begin
  raise "out"
rescue
  p f.resume # => "in"
  p $!.message # => "out"
end
p f.resume # => "nil"
f = Fiber.new { raise ArgumentError, "boom" }
try { f.resume } # => ArgumentError: boom
p f.alive? # => false
f = Fiber.new do
  begin
    Fiber.yield 1
  rescue => e
    Fiber.yield e.message
  ensure
    p :ensure
  end
  :done
end
f.resume
p f.raise("into") # => "into"
p f.resume # => :ensure
# => :done
