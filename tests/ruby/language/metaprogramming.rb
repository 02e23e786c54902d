# define_method, instance_eval, class_eval, and access to variables by name.
class Thing
  %w[red green].each_with_index do |color, i|
    define_method(color) { |times = 1| "#{color}#{i}" * times }
    define_method("#{color}?") { true }
  end
  define_method(:with_all) { |a, *b, c: 3, &d| [a, b, c, d&.call] }

  def initialize = @secret = 42
  private def hidden = "hidden #{@secret}"
end
t = Thing.new
p t.red, t.green(2), t.red?
# => "red0"
# => "green1green1"
# => true
p t.with_all(1, 2, c: 4) { :block } # => [1, [2], 4, :block]
p Thing.instance_methods(false).sort # => [:green, :green?, :red, :red?, :with_all]

p t.instance_variable_get(:@secret), t.instance_variables
# => 42
# => [:@secret]
t.instance_variable_set(:@other, 1)
p t.instance_variable_defined?(:@other), t.remove_instance_variable(:@other), t.instance_variables
# => true
# => 1
# => [:@secret]
p t.instance_eval { @secret + 1 }, t.instance_eval { hidden }
# => 43
# => "hidden 42"
p t.instance_exec(5) { |x| @secret + x } # => 47
p t.instance_eval("@secret * 2") # => 84

Thing.class_eval do
  def added = :added
  attr_accessor :late
end
t.late = 1
p t.added, t.late
# => :added
# => 1
Thing.class_eval("def from_text(x) = x + 1", __FILE__, __LINE__)
p t.from_text(1) # => 2
Thing.class_exec(:name) { |name| define_method(name) { name } }
p t.name # => :name

begin
  t.hidden
rescue NoMethodError => e
  p e.name # => :hidden
end
p t.send(:hidden) # => "hidden 42"
m = t.method(:red)
p m.call, m.owner, m.name, m.receiver.equal?(t), m.unbind.bind(Thing.new).call(2)
# => "red0"
# => Thing
# => :red
# => true
# => "red0red0"
um = Thing.instance_method(:green)
p um.bind_call(t) # => "green1"
p Thing.method_defined?(:red), Thing.private_method_defined?(:hidden), Thing.public_method_defined?(:hidden)
# => true
# => true
# => false
p t.respond_to?(:hidden), t.respond_to?(:hidden, true)
# => false
# => true
Thing.send(:alias_method, :rouge, :red)
p t.rouge # => "red0"
p Thing.instance_method(:rouge).name # => :rouge
klass = Class.new(Thing) { def red(*) = "sub " + super }
p klass.new.red(1), klass.name
# => "sub red0"
# => nil
p t.public_methods(false).include?(:added) # => true
p Kernel.respond_to?(:puts, true), t.frozen?, t.itself.equal?(t)
# => true
# => false
# => true
p Object.const_get("Thing").new.red # => "red0"
p t.singleton_methods, Thing.instance_methods.include?(:late=)
# => []
# => true
p [1, 2, 3].public_send(:inject, :+) # => 6
p t.methods.include?(:red), (t.method(:nope) rescue "none")
# => true
# => "none"
# parallel: no, it reaches its constants through Object
