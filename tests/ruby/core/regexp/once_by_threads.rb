# `/…/o` is evaluated by the first thread that comes to it; others wait for it, and evaluate it if it raised.

def race(first, second)
  begun, go = Queue.new, Queue.new
  pattern = ->(value) { /#{begun << true; go.pop; value == :raise ? raise("no") : value}/o }
  one = Thread.new { pattern.(first) rescue $!.message }
  one.report_on_exception = false
  begun.pop
  two = Thread.new { pattern.(second) }
  # It sleeps as it waits for the other one.
  Thread.pass until two.stop?
  go << true
  go << true
  [one.value, two.value, pattern.(3)]
end

p race(1, 2) # => [/1/, /1/, /1/]

# Each lambda has code of its own only where it is written, so what raises comes first elsewhere.
def failing
  begun, go = Queue.new, Queue.new
  pattern = ->(value) { /#{begun << true; go.pop; value == :raise ? raise("no") : value}/o }
  one = Thread.new { pattern.(:raise) rescue $!.message }
  begun.pop
  two = Thread.new { pattern.(2) }
  Thread.pass until two.stop?
  2.times { go << true }
  [one.value, two.value, pattern.(3)]
end
p failing # => ["no", /2/, /2/]

# Who waits can be killed, and the one that evaluates too.
def killed
  begun, go = Queue.new, Queue.new
  pattern = ->(value) { /#{begun << true; go.pop; value}/o }
  one = Thread.new { pattern.(1) }
  begun.pop
  two = Thread.new { pattern.(2) }
  Thread.pass until two.stop?
  two.kill.join
  one.kill.join
  go << true
  pattern.(3)
end
p killed # => /3/

# Ways out other than exceptions.
def left(value)
  [1].each do |i|
    loop { return /#{value ? value : break}/o }
    catch(:out) { /#{throw :out}/o }
  end
  Thread.new { value ? nil : left(4) }.value
end
p left(nil) # => /4/

# What comes to itself evaluates itself.
def itself(n) = /#{n > 0 ? itself(n - 1).source : "x"}#{n}/o
p itself(2) # => /x012/
p itself(5) # => /x012/
