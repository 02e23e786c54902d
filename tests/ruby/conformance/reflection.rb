# Reflection of modules, methods and callers: hooks, listings, visibility, names.
# args: -W0
# parallel: no, it names its constants from Object

# Hooks.
class Hooked
  def self.method_added(name) = (@log ||= []) << [:added, name]
  def self.method_removed(name) = @log << [:removed, name]
  def self.method_undefined(name) = @log << [:undefined, name]
  def self.singleton_method_added(name) = (@log ||= []) << [:s_added, name]
  def self.singleton_method_removed(name) = @log << [:s_removed, name]
  def self.singleton_method_undefined(name) = @log << [:s_undefined, name]
  def self.const_added(name) = ((@log ||= []) << [:const, name]; super)
  def self.inherited(c) = (@log << [:inherited, c.name]; super)
  def a = 1
  def b = 2
  alias c b
  remove_method :a
  undef b
  def self.s = 1
  def self.t = 1
  class << self
    remove_method :s
    undef t
  end
  K = 1
  class Inner; end
  attr_accessor :x
  def self.log = @log
end
Below = Class.new(Hooked)
class Below2 < Hooked; end
Hooked.log.each { |l| p l }
# => [:s_added, :singleton_method_added]
# => [:s_added, :singleton_method_removed]
# => [:s_added, :singleton_method_undefined]
# => [:s_added, :const_added]
# => [:s_added, :inherited]
# => [:added, :a]
# => [:added, :b]
# => [:added, :c]
# => [:removed, :a]
# => [:undefined, :b]
# => [:s_added, :s]
# => [:s_added, :t]
# => [:s_removed, :s]
# => [:s_undefined, :t]
# => [:const, :K]
# => [:const, :Inner]
# => [:added, :x]
# => [:added, :x=]
# => [:s_added, :log]
# => [:inherited, nil]
# => [:inherited, "Below2"]
JOINED = []
module Joins
  def self.included(base) = JOINED.push([:included, base])
  def self.extended(base) = JOINED.push([:extended, base.class])
  def self.prepended(base) = JOINED.push([:prepended, base])
  def self.append_features(base) = (JOINED.push([:append, base]); super)
  def self.extend_object(o) = (JOINED.push([:extend_object, o.class]); super)
  def self.prepend_features(base) = (JOINED.push([:prepend, base]); super)
  def joined = :joined
end
class Target
  include Joins
end
class Target2
  prepend Joins
end
o = Object.new.extend(Joins)
p(Target.new.joined) # => :joined
p(Target2.ancestors.first(2)) # => [Joins, Target2]
p(o.joined) # => :joined
p(o.singleton_class.include?(Joins)) # => true
JOINED.each { |l| p l }
# => [:append, Target]
# => [:included, Target]
# => [:prepend, Target2]
# => [:prepended, Target2]
# => [:extend_object, Object]
# => [:extended, Object]
module Refuses
  def self.append_features(base) = nil
end
class Target
  include Refuses
end
p Target.include?(Refuses) # => false

# Constants.
module Holder
  A = 1
  B = 2
  private_constant :B
  C = 3
  deprecate_constant :C
  def self.const_missing(name) = [:missing, name]
end
p(Holder.constants.sort) # => [:A, :C]
p(Holder::Nope) # => [:missing, :Nope]
p((Holder::B rescue $!.class)) # => [:missing, :B]
p(Holder.const_get(:A)) # => 1
module Holder
  public_constant :B
end
p Holder::B # => 2
p(Holder.const_source_location(:A).last.class) # => Integer
p(Object.const_source_location("Holder::A").last.class) # => Integer
p(Object.const_source_location(:String)) # => []
p(Holder.const_source_location(:Zzz)) # => nil
p(Holder.const_defined?("A")) # => true
p(Object.const_defined?("Holder::A")) # => true
p(Holder.const_defined?(:String)) # => true
p(Holder.const_defined?(:String, false)) # => false
begin
  Object.const_get("lower")
rescue NameError => e
  puts e.message # => wrong constant name lower
end
p(Holder.send(:remove_const, :A)) # => 1
p(Holder.const_defined?(:A)) # => false

# Visibility.
class Visible
  def pub = priv + prot
  private def priv = 1
  protected def prot = 2
  def self.hidden = 3
  private_class_method :hidden
  private attr_reader :r
  public
  def other(o) = o.prot
end
v = Visible.new
p(v.pub) # => 3
p((v.priv rescue $!.message)) # => "private method 'priv' called for an instance of Visible"
p((v.prot rescue $!.message)) # => "protected method 'prot' called for an instance of Visible"
p(v.other(Visible.new)) # => 2
p((Visible.hidden rescue $!.message.sub(/0x\h+/, ""))) # => "private method 'hidden' called for class Visible"
Visible.public_class_method :hidden
p Visible.hidden # => 3
p(v.private_methods(false).sort) # => [:priv, :r]
p(v.protected_methods) # => [:prot]
p(v.public_methods(false).sort) # => [:other, :pub]
p(Visible.private_instance_methods(false).sort) # => [:priv, :r]
p(v.public_method(:pub).call) # => 3
p((v.public_method(:priv) rescue $!.class)) # => NameError
p(Visible.public_instance_method(:pub).name) # => :pub
p((Visible.public_instance_method(:prot) rescue $!.message)) # => "method 'prot' for class 'Visible' is protected"
p(Visible.method_defined?(:priv)) # => false
p(Visible.private_method_defined?(:priv)) # => true
p(Visible.public_method_defined?(:prot)) # => false
p(Visible.protected_method_defined?(:prot)) # => true
p(Visible.instance_method(:priv).owner) # => Visible
class Less < Visible
  undef other
  public :priv
end
p(Less.undefined_instance_methods) # => [:other]
p(Less.new.priv) # => 1
p(Less.instance_methods(false)) # => [:priv]
begin
  v.send(:nothing)
rescue NoMethodError => e
  p(e.private_call?) # => true
  p(e.name) # => :nothing
  p(e.args) # => []
  p(e.receiver.equal?(v)) # => true
end
begin
  nothing(1)
rescue NoMethodError => e
  p(e.private_call?) # => true
  p(e.args) # => [1]
end

# Names.
c = Class.new
p(c.name) # => nil
p(c.set_temporary_name("fake<name>")) # => fake<name>
p(c.name) # => "fake<name>"
p(c.new.to_s.sub(/0x\h+/, "")) # => "#<fake<name>:>"
begin
  c.set_temporary_name("Real")
rescue ArgumentError => e
  puts e.message # => the temporary name must not be a constant path to avoid confusion
end
Named = c
p(c.name) # => "Named"
p(Module.new.to_s.sub(/0x\h+/, "")) # => "#<Module:>"
p(Class.new(StandardError).new("x").inspect.sub(/0x\h+/, "")) # => "#<#<Class:>: x>"
p(Named.singleton_class) # => #<Class:Named>
p(Named.singleton_class.attached_object) # => Named
p(Named.singleton_class.singleton_class) # => #<Class:#<Class:Named>>
p((String.attached_object rescue $!.message)) # => "'String' is not a singleton class"
p(String.singleton_class?) # => false
p(String.singleton_class.singleton_class?) # => true

# Methods as objects.
m = 5.method(:+)
p(m.call(3)) # => 8
p(m.unbind.bind(7).call(1)) # => 8
p(m.owner) # => Integer
p(m.receiver) # => 5
p(m.name) # => :+
p(m.arity) # => 1
p(m.to_proc.(1)) # => 6
p((m >> ->(x) { x * 2 }).call(1)) # => 12
p((m << ->(x) { x * 2 }).call(1)) # => 7
p([1, 2].map(&10.method(:-))) # => [9, 8]
p("x".method(:upcase).unbind.bind_call("abc")) # => "ABC"
p(Array.instance_method(:map).inspect[0, 40]) # => "#<UnboundMethod: Array#map()>"
def original(a, b = 1, *c, k:, **o, &blk) = 0
alias renamed original
p(method(:renamed).name) # => :renamed
p(method(:renamed).original_name) # => :original
p(method(:renamed) == method(:original)) # => true
p(method(:original).super_method) # => nil
p(method(:original).source_location.last.class) # => Integer
p(method(:original).parameters) # => [[:req, :a], [:opt, :b], [:rest, :c], [:keyreq, :k], [:keyrest, :o], [:block, :blk]]
p(method(:puts).source_location) # => nil
p(String.instance_method(:upcase) == String.instance_method(:upcase)) # => true
p(1.method(:+).eql?(1.method(:+))) # => true
p(1.method(:+).hash == 1.method(:+).hash) # => true
p(Class.new { define_method(:d) { |x, y = 2| [x, y] } }.new.d(1)) # => [1, 2]
p(Visible.class_exec(4) { |x| [self, x] }) # => [Visible, 4]
p(Visible.module_exec(5) { |x| x }) # => 5
p(Holder.module_eval("self")) # => Holder
p(Comparable.instance_method(:clamp).owner) # => Comparable
p(Kernel.instance_method(:then).bind_call(5) { it + 1 }) # => 6

# Callers.
def here = caller_locations(1, 1).first
def locations = caller_locations(0)
l = here
p(l.lineno.class) # => Integer
p(l.label) # => "<main>"
p(l.base_label) # => "<main>"
p(l.path == __FILE__) # => true
p(l.absolute_path == File.expand_path(__FILE__)) # => true
p(l.to_s.end_with?("in '<main>'")) # => true
p(locations.map(&:label)) # => ["Object#locations", "<main>"]
p([1].map { here.label }) # => ["block in <main>"]
p(Class.new { def m = caller_locations(0, 1)[0].label }.new.m) # => "m"
class Deep
  def self.s = caller(0, 1)[0][/in '.*/]
  def i = [1].each { return caller(0, 1)[0][/in '.*/] }
end
p(Deep.s) # => "in 'Deep.s'"
p(Deep.new.i) # => "in 'block in Deep#i'"
p(caller(100)) # => nil
p(caller_locations(0..0).size) # => 1
def tag = yield
p(tag { __method__ }) # => nil
p(define_method(:dm) { __method__ }) # => :dm
p(dm) # => :dm
def escaping = proc { return 1 }
begin
  escaping.call
rescue LocalJumpError => e
  p(e.reason) # => :return
  p(e.exit_value) # => 1
  p(e.message) # => "unexpected return"
end
begin
  proc { break 5 }.call
rescue LocalJumpError => e
  p(e.reason) # => :break
  p(e.exit_value) # => 5
end
b = binding
z = 1
p(b.local_variables.include?(:z)) # => true
p(b.local_variable_get(:z)) # => 1
p(b.local_variable_set(:new_one, 2)) # => 2
p(b.local_variable_defined?(:new_one)) # => true
p(b.receiver) # => main
p(b.source_location.last.class) # => Integer
p(Module.used_refinements) # => []
p(Module.used_modules) # => []
p(ObjectSpace.each_object(Class).include?(Deep)) # => true
p(:abc.id2name) # => "abc"
p(Symbol.all_symbols.include?(:abc)) # => true
