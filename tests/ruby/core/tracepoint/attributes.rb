# TracePoint: what it says of the moment, limits, and errors.

class A
  def add(a, b = 2, *c, k: 3) = a + b
  alias plus add
end

def e = (yield; nil) rescue p([$!.class, $!.message])

out = []
TracePoint.new(:call, :return) { |t|
  next unless t.self.instance_of?(A)
  out << [t.method_id, t.callee_id, t.defined_class, t.parameters, t.binding.local_variables.first(2), (t.return_value if t.event == :return)]
}.enable { A.new.plus(1) }
p(*out)
# => [:add, :plus, A, [[:req, :a], [:opt, :b], [:rest, :c], [:key, :k]], [:a, :b], nil]
# => [:add, :plus, A, [[:req, :a], [:opt, :b], [:rest, :c], [:key, :k]], [:a, :b], 3]

point = TracePoint.new(:line) { }
e { point.lineno } # => [RuntimeError, "access from outside"]
e { TracePoint.new(:line) } # => [ArgumentError, "must be called with a block"]
e { TracePoint.new(:lines) { } } # => [ArgumentError, "unknown event: lines"]
e { TracePoint.allocate } # => [TypeError, "allocator undefined for TracePoint"]
e { TracePoint.allow_reentry { } } # => [RuntimeError, "No need to allow reentrance."]
p point.inspect, point.enabled? # => "#<TracePoint:disabled>"
# => false
p point.enable, point.enable, point.enabled?, point.disable, point.disable # => false
# => true
# => true
# => true
# => false

TracePoint.new(:line) { |t| e { t.return_value } }.enable { 1 } # => [RuntimeError, "not supported by this event"]

# Limited to code, and to a line of it.
def target
  x = 1
  x + 1
end

lines = []
first = __LINE__ - 6
on = TracePoint.new(:line) { |t| lines << t.lineno - first }
on.enable(target: method(:target)) { target; A.new.add(1) }
p lines # => [1, 2]
lines.clear
on.enable(target: method(:target), target_line: first + 2) { target }
p lines # => [2]
e { on.enable(target_line: 3) } # => [ArgumentError, "only target_line is specified"]
e { TracePoint.new(:call) { }.enable(target: method(:target), target_line: 3) }
# => [ArgumentError, "target_line is specified, but line event is not specified"]
e { on.enable(target: 1) } # => [ArgumentError, "specified target is not supported"]
e { on.enable(target: method(:puts)) } # => [ArgumentError, "specified target is not supported"]
e { on.enable(target: method(:target)) { on.enable } } # => [ArgumentError, "can't nest-enable a targeting TracePoint"]
e { on.enable(target_thread: 1) } # => [TypeError, "wrong argument type Integer (expected VM/thread)"]

# What is raised in the block is raised where it happened; a block is not traced itself unless it allows that.
e { TracePoint.new(:call) { raise "stop" }.enable { target } } # => [RuntimeError, "stop"]
depth = []
TracePoint.new(:call) { |t|
  next unless t.method_id == :target
  depth << depth.size
  TracePoint.allow_reentry { target } if depth.size < 3
}.enable { target }
p depth # => [0, 1, 2]

# The newest is told first.
order = []
mine = ->(t, name) { order << name if t.method_id == :target }
TracePoint.new(:call) { mine.(_1, :outer) }.enable { TracePoint.new(:call) { mine.(_1, :inner) }.enable { target } }
p order # => [:inner, :outer]

# Code that is compiled.
scripts = []
TracePoint.new(:script_compiled) { |t| scripts << [t.eval_script, t.instruction_sequence.path] }.enable { eval("1 + 1", nil, "made.rb") }
p scripts # => [["1 + 1", "made.rb"]]
