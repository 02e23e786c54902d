# eval in scopes, instance_eval and class_eval with strings, bindings that grow.
a = 1
p eval("a + 1"), eval("b = a; b * 2"), (eval("b") rescue "gone")
bind = binding
bind.eval("fresh = 10")
p bind.eval("fresh"), bind.local_variable_get(:fresh), bind.local_variables.include?(:fresh)
p bind.local_variable_set(:a, 5), a, bind.local_variable_set(:brand_new, 1), bind.local_variable_get(:brand_new)
def scope(x) = binding
s = scope(7)
p s.local_variables, s.eval("x"), s.receiver == self
p eval("[1, 2].map { |v| v + a }"), eval("lambda { |q| a + q }").call(1)
p eval("__FILE__", nil, "other.rb"), eval("__LINE__", nil, "other.rb", 77)
class Box
  def initialize = @v = 3
end
p Box.new.instance_eval("@v"), Box.new.instance_eval { @v + 1 }, Box.new.instance_exec(4) { |n| @v * n }
Box.class_eval("def added = @v + 10")
Box.class_exec(2) { |n| define_method(:doubled) { @v * n } }
p Box.new.added, Box.new.doubled
o = Object.new
o.instance_eval { def only = :mine }
p o.only, o.singleton_methods
begin
  eval("1 +* ")
rescue SyntaxError => e
  puts "syntax"
end
begin
  eval("raise 'x'", nil, "here.rb", 9)
rescue => e
  puts e.backtrace.first[0, 9]
end
x = 10
blk = -> { eval("x += 1") }
blk.call
p x, local_variables.first(3)
def yielder = eval("yield 4")
p yielder { |v| v * 2 }
module Deep
  K = 1
  def self.get = eval("K")
  p Module.nesting, eval("Module.nesting")
end
p Deep.get
eval("def by_eval = :ok")
p by_eval, send(:by_eval)
1.times { |i| eval("p i; inner = 2; p inner") }
p TOPLEVEL_BINDING.receiver.inspect
p eval("self").inspect, eval("nil").inspect, eval("").inspect
p binding.source_location.last

# => 2
# => 2
# => "gone"
# => 10
# => 10
# => true
# => 5
# => 5
# => 1
# => 1
# => [:x]
# => 7
# => true
# => [6, 7]
# => 6
# => "other.rb"
# => 77
# => 3
# => 4
# => 12
# => 13
# => 6
# => :mine
# => [:only]
# => syntax
# => here.rb:9
# => 11
# => [:a, :bind, :s]
# => 8
# => [Deep]
# => [Deep]
# => 1
# => :ok
# => :ok
# => 0
# => 2
# => "main"
# => "main"
# => "nil"
# => "nil"
# => 50
# parallel: no, Module.nesting shows the module it is loaded into
