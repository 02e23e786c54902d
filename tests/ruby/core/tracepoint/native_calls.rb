# What native code calls for the program is told, as in CRuby.

def told(*events)
  seen = []
  point = TracePoint.new(*events) { |tp| seen << [tp.event, tp.method_id] if tp.path == __FILE__ }
  point.enable
  begin
    yield
  rescue StandardError
  end
  point.disable
  seen
end

p told(:c_call, :c_return) { raise TypeError, "no" }
# => [[:c_call, :raise], [:c_call, :exception], [:c_call, :initialize], [:c_return, :initialize], [:c_return, :exception], [:c_return, :raise], [:c_call, :backtrace], [:c_return, :backtrace], [:c_call, :===], [:c_return, :===]]
p told(:c_call) { missing_method } # => [[:c_call, :method_missing], [:c_call, :backtrace], [:c_call, :===]]
p told(:c_call) { MISSING_CONSTANT } # => [[:c_call, :const_missing], [:c_call, :backtrace], [:c_call, :===]]
reader = Class.new { attr_accessor :x }.new.method(:x)
p told(:c_call, :c_return) { reader.call } # => [[:c_call, :call], [:c_call, :x], [:c_return, :x], [:c_return, :call]]
p told(:c_call) { class NewClass; end } # => [[:c_call, :const_added], [:c_call, :inherited]]

# Methods that are written in Ruby in CRuby too are told as such, with a file of their own.
seen = []
TracePoint.new(:call, :return) { |tp| seen << [tp.event, tp.method_id, tp.path[0, 10]] }.enable { tap {} }
p seen # => [[:call, :tap, "<internal:"], [:return, :tap, "<internal:"]]

# One block may be the body of two methods.
block = proc {}
object = Object.new
object.define_singleton_method(:one, &block)
object.define_singleton_method(:two, &block)
seen = []
TracePoint.new(:call) { |tp| seen << tp.method_id }.enable(target: object.method(:one)) do
  object.one
  object.two
end
p seen # => [:one]

# What ends a fiber is raised again in the one that goes on.
seen = []
TracePoint.new(:raise) { seen << Fiber.current }.enable do
  fiber = Fiber.new { raise "no" }
  begin
    fiber.resume
  rescue RuntimeError
  end
  p seen == [fiber, Fiber.current] # => true
end

# A trace function ends with its thread.
Thread.new { Thread.current.add_trace_func(proc {}) }.join
p TracePoint.stat # => {enabled: 0}

# A line that begins with a loop is told though the loop around jumps into it.
lines = []
first = __LINE__ + 2
TracePoint.new(:line) { |tp| lines << tp.lineno - first }.enable do
  n = 3
  while n > 0
    n -= 1 while n > 0
  end
end
p lines # => [0, 1, 2]

# What a Ractor enables is told of its own threads.
Warning[:experimental] = false
def in_ractor = 1
counts = Array.new(3) do
  Ractor.new do
    count = 0
    TracePoint.new(:call) { |tp| count += 1 if tp.method_id == :in_ractor }.enable
    5.times { in_ractor }
    count
  end
end
p counts.map(&:value) # => [5, 5, 5]

# The options of CRuby's compiler.
sequence = RubyVM::InstructionSequence
p sequence.compile_option[:peephole_optimization] # => true
sequence.compile_option = { peephole_optimization: false, trace_instruction: true }
p sequence.compile_option[:peephole_optimization] # => false
sequence.compile_option = nil
begin
  sequence.compile_option = { tailcall_optimization: true }
rescue NotImplementedError => e
  puts e.message # => there is no such compile option here
end
