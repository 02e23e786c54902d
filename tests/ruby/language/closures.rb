# Closures share the variables they close over, and each call has its own.
counter = 0
increment = -> { counter += 1 }
3.times { increment.call }
p counter # => 3

def make_counter
  count = 0
  [-> { count += 1 }, -> { count }]
end
up, show = make_counter
other_up, other_show = make_counter
up.call
up.call
other_up.call
p show.call, other_show.call
# => 2
# => 1

adders = (1..3).map { |i| ->(x) { x + i } }
p adders.map { |add| add.call(10) } # => [11, 12, 13]

procs = []
i = 0
while i < 3
  j = i
  procs << -> { j }
  i += 1
end
p procs.map(&:call) # => [2, 2, 2]

x = 1
change = -> { x = 2 }
change.call
p x # => 2

def nested
  a = 1
  outer = lambda do
    b = 10
    inner = -> { a += b; b += 1 }
    inner.call
    inner.call
    [a, b]
  end
  [outer.call, a]
end
p nested # => [[22, 12], 22]

def block_local = [1, 2].map { |v| t = v * 2; -> { t } }.map(&:call)
p block_local # => [2, 4]

def parameter_captured(n) = -> { n += 1 }
f = parameter_captured(5)
f.call
p f.call # => 7

fib = Hash.new { |hash, n| hash[n] = n < 2 ? n : hash[n - 1] + hash[n - 2] }
p fib[50] # => 12586269025

recursive = ->(n) { n.zero? ? 1 : n * recursive.(n - 1) }
p recursive.(20) # => 2432902008176640000

def run_twice = [yield, yield]
total = 0
p run_twice { total += 5 } # => [5, 10]
p binding.local_variable_get(:total) # => 10
set = ->(value) { later = value; -> { later } }
p set.(3).call # => 3
