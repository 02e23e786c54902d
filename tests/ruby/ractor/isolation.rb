# What a Ractor may not reach, and how it is told.
# parallel: no, it names its constants, and sets $stderr
Warning[:experimental] = false

def told = yield
def isolated(&block)
  r = Ractor.new(&block)
  r.value
rescue Ractor::RemoteError => e
  e.cause.message
rescue Ractor::IsolationError, ArgumentError => e
  e.message
end
$stderr = File.open(File::NULL, "w")
Thread.report_on_exception = false

a = 1
b = 2
puts isolated { a } # => can not isolate a Proc because it accesses outer variables (a).
puts isolated { [1].each { |x| a + b + x } } # => can not isolate a Proc because it accesses outer variables (a, b).
def with_yield = isolated { yield }
puts with_yield { 1 } # => can not isolate a Proc because it uses 'yield'.
p isolated { c = 3; [1].map { |x| x + c } } # => [4]
p isolated { eval("1 + 1") } # => 2
p isolated { eval("a") rescue 0; 5 }.class rescue p $!.class # => String
puts isolated { eval("b") } =~ /can not access variable 'b' from isolated Proc/ ? "SyntaxError" : "?" # => SyntaxError
puts isolated { nothing_such } =~ /undefined local variable/ ? "NameError" : "?" # => NameError

GOOD = [1, "x".freeze].freeze
BAD = [1, +"x"]
module Space
  BAD = +"y"
  def self.bad = BAD
end
p isolated { GOOD } # => [1, "x"]
puts isolated { BAD } # => can not access non-shareable objects in constant Object::BAD by non-main Ractor.
Space.bad
puts isolated { Space.bad } # => can not access non-shareable objects in constant Space::BAD by non-main Ractor.
puts isolated { Space::BAD } # => can not access non-shareable objects in constant Space::BAD by non-main Ractor.
puts isolated { Space.const_get(:BAD) } # => can not access non-shareable objects in constant Space::BAD by non-main Ractor.
p isolated { defined?(BAD) } # => "constant"
puts isolated { Space.const_set(:X, +"") } # => can not set constants with non-shareable objects by non-main Ractors
p isolated { Space.const_set(:Y, 5); Space::Y } # => 5
10.times { BAD.size; Space.bad }

$global = 1
puts isolated { $global } # => can not access global variable $global from non-main Ractor
puts isolated { $global = 2 } # => can not access global variable $global from non-main Ractor
p isolated { "ab" =~ /b/; [$~[0], $`, $$ == Process.pid, $!, $VERBOSE] } # => ["b", "a", true, nil, false]
p isolated { $VERBOSE = true; $VERBOSE }, $VERBOSE # => true
# => false
p isolated { $stdout.fileno }, isolated { $stdout.object_id } == $stdout.object_id # => 1
# => false
p isolated { $stdout = $stderr; $stdout.fileno }, $stdout.fileno # => 2
# => 1

class C
  @shared = 5
  @own = +"own"
  @@shared = :s
  @@own = +"own"
  class << self
    attr_accessor :own, :shared
    def read = @own
    def write = @own = 1
    def cvar = @@own
    def cvar_shared = @@shared
    def cvar_set = @@shared = 1
    def has = [defined?(@own), defined?(@none)]
  end
end
3.times { C.own; C.read; C.cvar }
from = "can not get unshareable values from instance variables of classes/modules from non-main Ractors (@own from C)"
p [isolated { C.own }, isolated { C.read }, isolated { C.instance_variable_get(:@own) }].uniq == [from] # => true
p isolated { [C.shared, C.has] } # => [5, ["instance-variable", nil]]
to = "can not set instance variables of classes/modules by non-main Ractors"
p [isolated { C.own = 1 }, isolated { C.write }, isolated { C.instance_variable_set(:@own, 1) }].uniq == [to] # => true
puts isolated { C.cvar } # => can not access class variables from non-main Ractors (@@own from C)
p isolated { C.cvar_shared } # => :s
puts isolated { C.cvar_set } # => can not access class variables from non-main Ractors (@@shared from C)
puts isolated { C.remove_class_variable(:@@shared) } # => can not access class variables from non-main Ractors (@@shared from C)
puts isolated { C.remove_instance_variable(:@own) } == to # => true

shared = Ractor.new {}
shared.instance_variable_set(:@x, 1)
puts Ractor.new(shared) { |s| s.instance_variable_get(:@x) rescue $!.message }.value # => can not access instance variables of shareable objects from non-main Ractors

define_method(:closure) { a } rescue C.define_method(:closure) { a }
puts isolated { C.new.closure } # => defined with an un-shareable Proc in a different Ractor
C.define_method(:free, &Ractor.shareable_proc { a })
p isolated { C.new.free } # => 1
p C.new.closure # => 1

puts isolated { at_exit {} } # => can not call at_exit from non-main Ractors
p isolated { ObjectSpace.each_object.all? { |o| Ractor.shareable?(o) } } # => true
