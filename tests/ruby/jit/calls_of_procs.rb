# args: --jit=always
# Compiled code calls Procs directly: lambdas and blocks, with as many values as they have parameters, and others.

def one(f, x) = f.call(x)
def dotted(f, x, y) = f.(x, y)
def none(f) = f[]
def own(f) = f.yield(1)

adder = ->(x) { x + 1 }
pair = ->(x, y) { [y, x] }
block = proc { |x| x }
two = proc { |x, y| [x, y] }
comma = proc { |x,| x }
rest = ->(*x) { x }
optional = ->(x, y = 2) { [x, y] }
early = lambda { |x| return :small if x < 10; x }
outer = 0
counter = ->(x) { outer += x }
symbol = :succ.to_proc
method = 5.method(:+)
kept = nil
keeps = ->(x) { kept = -> { x }; x }

results = nil
(GC.stress ? 10 : 100).times do |i|
  now = [one(adder, 1), dotted(pair, 1, 2), one(block, [1, 2]), one(two, [1, 2]), one(comma, [3, 4]), dotted(two, 5, 6),
         one(rest, 1), one(optional, 1), dotted(optional, 1, 5), one(early, 5), one(early, 50), one(symbol, 1), one(method, 2),
         none(-> { :none }), own(block), one(keeps, 8), kept.call, none(two), dotted(block, 1, 2)]
  one(counter, 1)
  raise "another result: #{now}" if results && now != results
  results = now
end
p results
# => [2, [2, 1], [1, 2], [1, 2], 3, [5, 6], [1], [1, 2], [1, 5], :small, 50, 2, 7, :none, 1, 8, 8, [nil, nil], 1]
p outer == (GC.stress ? 10 : 100)
# => true

[[:one, adder, []], [:dotted, adder, [2]]].each do |name, f, more|
  10.times { send(name, f, 1, *more) }
rescue ArgumentError => e
  puts e.message
end
# => wrong number of arguments (given 2, expected 1)
begin
  one(pair, [1, 2])
rescue ArgumentError => e
  puts e.message
end
# => wrong number of arguments (given 1, expected 2)

# A Proc that nothing but its call refers to.
def fresh(i) = ->(x) { GC.start if i % 20 == 0; [x, i] }.call("v#{i}")
p (1..(GC.stress ? 5 : 60)).all? { |i| fresh(i) == ["v#{i}", i] }
# => true

# Recursion by the lambda itself, and what it raises.
fib = ->(n) { n < 2 ? n : fib.(n - 1) + fib.(n - 2) }
p fib.(GC.stress ? 5 : 12) == (GC.stress ? 5 : 144)
# => true
deep = ->(n) { n == 0 ? raise("deep") : deep.call(n - 1) }
begin
  one(deep, 20)
rescue => e
  puts e.message, e.backtrace.size > 20
end
# => deep
# => true
endless = ->(n) { endless.(n + 1) }
begin
  one(endless, 1)
rescue SystemStackError => e
  puts e.message
end
# => stack level too deep
fiber = Fiber.new { one(->(x) { Fiber.yield(x); x + 1 }, 1) }
p fiber.resume, fiber.resume
# => 1
# => 2
self_of = Object.new.instance_eval { ->(x) { self.class } }
p one(self_of, 1)
# => Object
def with_block = ->(x) { yield x }
p one(with_block { |x| x * 3 }, 4)
# => 12
class Proc
  def call(x) = :redefined
end
p one(adder, 1)
# => :redefined
