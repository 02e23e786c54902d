# What belongs to a fiber: storage, Thread#[], catch tags, Mutexes, blocking, what it shows of itself.

def try
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

Thread.current[:a] = 1
f = Fiber.new { Thread.current[:a] = 2; Fiber.yield Thread.current[:a]; Thread.current[:a] }
p f.resume # => 2
p Thread.current[:a] # => 1
p f.resume # => 2
Thread.current.thread_variable_set(:v, 3)
p Fiber.new { Thread.current.thread_variable_get(:v) }.resume # => 3

Fiber[:x] = 1
f = Fiber.new { Fiber[:x] += 1; Fiber.new { Fiber[:x] }.resume }
p f.resume, Fiber[:x] # => 2
# => 1
p Fiber.new(storage: {y: 5}) { [Fiber[:x], Fiber[:y]] }.resume # => [nil, 5]
p Thread.new { Fiber[:x] }.value # => 1
try { Fiber.new(storage: 1) {} } # => TypeError: storage must be a hash
try { Fiber.new(storage: {"a" => 1}) {} } # => TypeError: wrong argument type String (expected Symbol)
try { Fiber.new(storage: {}.freeze) {} } # => FrozenError: storage must not be frozen
try { Fiber.new {}.storage } # => ArgumentError: Fiber storage can only be accessed from the Fiber it belongs to
try { Fiber.new(1, blocking: true) {} } # => ArgumentError: wrong number of arguments (given 1, expected 0)
try { Fiber.new(foo: 1) {} } # => ArgumentError: unknown keyword: :foo

p Fiber.blocking?, Fiber.current.blocking? # => 1
# => true
p Fiber.new { Fiber.blocking? }.resume # => false
p Fiber.new(blocking: true) { Fiber.blocking? }.resume # => 1
p Fiber.new { Fiber.blocking { |f| f.blocking? } }.resume # => true

f = Fiber.new { Fiber.yield }
puts f.inspect[/\(.*\)/], Fiber.current.inspect[/\(.*\)/] # => (created)
# => (resumed)
f.resume
puts f.to_s[/state.rb:.*/] # => state.rb:36 (suspended)>
p f.backtrace.map { |l| l[/\d+:in .*/] } # => ["36:in 'Fiber.yield'", "36:in 'block in <main>'"]
f.resume
puts f.inspect[/\(.*\)/] # => (terminated)

# A Mutex is locked by a fiber, and free when that has ended.
m = Mutex.new
f = Fiber.new { m.lock; Fiber.yield m.owned? }
p f.resume, m.locked?, m.owned? # => true
# => true
# => false
try { m.unlock } # => ThreadError: Attempt to unlock a mutex which is locked by another thread/fiber
try { m.lock } # => ThreadError: deadlock; lock already owned by another fiber belonging to the same thread
f.resume
p m.locked? # => false

# kill runs ensure clauses and no rescue.
log = []
f = Fiber.new do
  Fiber.yield
rescue Exception
  log << :rescued
ensure
  log << :ensured
end
f.resume
p f.kill.equal?(f), f.alive?, log # => true
# => false
# => [:ensured]
p Fiber.new {}.kill.alive? # => false
f = Fiber.new { Fiber.current.kill; :never }
p f.resume # => nil
parent = Fiber.new do
  Fiber.new { parent.kill; p parent.alive? }.resume
  p :never
end
parent.resume # => true
p parent.alive? # => false

# A thread that ends, and one that is killed, in a fiber.
p Thread.new { Fiber.new { Thread.current.name }.resume; Fiber.new { 4 }.resume }.value # => 4
t = Thread.new { Fiber.new { begin; Thread.exit; ensure; log << :thread; end }.resume; log << :never }
t.join
p log # => [:ensured, :thread]
f = Thread.new { Fiber.new { Fiber.yield }.tap(&:resume) }.value
try { f.resume } # => FiberError: fiber called across threads
