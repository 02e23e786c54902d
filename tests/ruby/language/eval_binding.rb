# eval, bindings, and the variables they share.
x = 10
p eval("x + 1") # => 11
eval("x = 20")
p x # => 20
eval("fresh = 5; p fresh") # => 5
p binding.local_variable_defined?(:fresh) # => false

def make_binding(value)
  local = value * 2
  binding
end
b = make_binding(21)
p b.local_variable_get(:local), b.local_variables.sort, eval("value", b)
# => 42
# => [:local, :value]
# => 21
b.local_variable_set(:local, 1)
b.eval("added = local + 1")
p b.eval("added"), b.local_variable_defined?(:added), b.receiver
# => 2
# => true
# => main

counter = 0
increment = -> { counter += 1 }
bound = increment.binding
bound.local_variable_set(:counter, 10)
increment.call
p counter # => 11

class Holder
  def initialize = @secret = 7
  def get = binding
end
p Holder.new.get.eval("@secret"), Holder.new.get.eval("self.class")
# => 7
# => Holder
p eval("[__FILE__, __LINE__]", binding, "named.rb", 42) # => ["named.rb", 42]
begin
  eval("1 +")
rescue SyntaxError => e
  p e.class # => SyntaxError
end
begin
  eval("raise 'inside'", nil, "where.rb", 5)
rescue => e
  p e.message, e.backtrace.first[/where\.rb:\d+/]
  # => "inside"
  # => "where.rb:5"
end
eval("def from_eval(a) = a * 3")
p from_eval(2) # => 6
p eval("->(y) { y + x }").call(1) # => 21
p [1, 2].map { |i| eval("i * x") } # => [20, 40]
p instance_eval("self").equal?(self), String.class_eval("self")
# => true
# => String
code = "z = 0; 3.times { |i| z += i }; z"
p eval(code) # => 3
p TOPLEVEL_BINDING.receiver.to_s # => "main"
p binding.source_location.class, eval("__method__").inspect
# => Array
# => "nil"
def block_binding = yield
w = 1
p block_binding { binding.local_variable_get(:w) } # => 1
eval <<~RUBY
  module Generated
    VALUE = 3
  end
RUBY
p Generated::VALUE # => 3
p eval("if true then :yes else :no end"), eval("").inspect
# => :yes
# => "nil"
