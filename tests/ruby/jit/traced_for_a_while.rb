# What was traced runs compiled again afterwards, in every thread and in the child of a fork; what is traced tells everything.
require "objspace"
require "coverage"

class Counted
  attr_reader :sum

  def initialize = @sum = 0
  def add(n) = @sum += step(n)
  def step(n) = n.even? ? n : n + 1
end

def work(n)
  counted = Counted.new
  n.times { |i| counted.add(i) }
  counted.sum
end

plain = work(2_000)
told = 20.times.map do
  seen = Hash.new(0)
  trace = TracePoint.new(:call, :return, :c_call, :line, :b_call) { |tp| seen[[tp.event, tp.method_id]] += 1 }
  same = trace.enable { work(100) }
  [same == work(100), seen[[:call, :add]], seen[[:return, :step]], work(2_000) == plain]
end
p told.uniq # => [[true, 100, 100, true]]

# Beside threads that run compiled code all the time.
stop = false
busy = 3.times.map { Thread.new { wrong = 0; (wrong += 1 if work(500) != 125_000) until stop; wrong } }
counts = 100.times.map do
  calls = 0
  trace = TracePoint.new(:call) { |tp| calls += 1 if tp.method_id == :add }
  trace.enable(target_thread: Thread.current) { work(50) }
  [calls, work(50)]
end
everybody = 0
trace = TracePoint.new(:call) { |tp| everybody += 1 if tp.method_id == :work }
10.times do
  trace.enable(target_thread: nil)
  work(10)
  trace.disable
  work(10)
end
stop = true
p counts.uniq, busy.map(&:value), everybody >= 10 # => [[50, 1250]]
# => [0, 0, 0]
# => true

# Threads that end while they are traced, and fibers.
trace = TracePoint.new(:call) { }
trace.enable
p 20.times.map { Thread.new { work(20) } }.map(&:value).uniq # => [200]
trace.disable
e = Enumerator.new { |y| 3.times { y << work(20) } }
TracePoint.new(:line) { }.enable { p e.next } # => 200
p e.next, work(2_000) == plain # => 200
# => true

# A tracer that raises, one that ends itself, and one within another.
class Stop < StandardError; end
p 5.times.map { (TracePoint.new(:call) { |tp| raise Stop if tp.method_id == :step }.enable { work(3) } rescue $!.class) }.uniq # => [Stop]
once = TracePoint.new(:call) { |tp| once.disable }
once.enable
p work(2_000) == plain, once.enabled? # => true
# => false
outer = TracePoint.new(:call) { TracePoint.new(:line) { }.enable { work(2) } }
p outer.enable { work(20) }, work(2_000) == plain # => 200
# => true

# Redefinitions while it is traced are not forgotten afterwards.
TracePoint.new(:line) { }.enable do
  class Counted
    def step(n) = 1
  end
end
p work(2_000) # => 2000
trace.enable
class Integer
  alias plus +
  def +(other) = plus(other).plus(1)
end
trace.disable
p 300.times.map { work(3) }.uniq # => [6]
class Integer
  alias + plus
end
