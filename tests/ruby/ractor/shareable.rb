# shareable?, make_shareable, shareable Procs.
S = Struct.new(:a)

p [1, :a, nil, "x".freeze, [1].freeze, Object, Object.new.freeze, 1.0, 2**80, (1..2)].all? { |v| Ractor.shareable?(v) } # => true
p [+"x", [1], [[]].freeze, Object.new, proc {}, Thread.current, S.new([]).freeze, {}].any? { |v| Ractor.shareable?(v) } # => false
y = []
x = [y, {}].freeze
y << x
y.freeze
p Ractor.shareable?(x) # => false

class C
  attr_reader :c
  def initialize = @a = [+"b"]
  def freeze
    @c = [:called]
    super
  end
end
a = [[1, [+"2"]], { Object.new => +"v" }, C.new, S.new(+"x"), (+"a"..+"b")]
a << a
p Ractor.make_shareable(a).equal?(a), Ractor.shareable?(a) # => true
# => true
p a.flatten.size, a[0][1][0].frozen?, a[2].c, a[1].values[0].frozen? rescue p $!.class # => ArgumentError
p a[0][1][0].frozen?, a[2].c, a[1].values[0].frozen? # => true
# => [:called]
# => true
o = [1, [+"3"]]
c = Ractor.make_shareable(o, copy: true)
p Ractor.shareable?(o), Ractor.shareable?(c), c.equal?(o) # => false
# => true
# => false
r = [Thread.current]
p((Ractor.make_shareable(r) rescue $!.message.sub(/<Thread.*>/, "<T>"))) # => "can not make shareable object for #<T> (it is [0] of the Array)"
bad = Object.new
def bad.freeze = self
p((Ractor.make_shareable([bad]) rescue $!.message)) # => "#freeze does not freeze object correctly"
p Ractor.shareable?(Ractor.make_shareable(Object.method(:new))) # => true
p((Ractor.make_shareable((+"").method(:size)) rescue $!.message)) # => "can not make shareable object for #<Method: String#size()> because it refers unshareable objects"

# Procs.
n = 42
f = Ractor.shareable_lambda { n }
p f.call, f.lambda?, f.frozen?, Ractor.shareable?(f) # => 42
# => true
# => true
# => true
p Ractor.shareable_proc { self }.call, Ractor.shareable_proc(self: 5) { self }.call # => nil
# => 5
v1, v2 = :a, :b
closure = proc { [v1, v2] }
p Ractor.shareable_proc(&closure).call # => [:a, :b]
k = 1
k = 2
p((Ractor.shareable_proc { k } rescue $!.message)) # => "cannot make a shareable Proc because the outer variable 'k' may be reassigned."
s = [+"x"]
p((Ractor.shareable_proc { s } rescue $!.message)) # => "cannot make a shareable Proc because it can refer unshareable object [\"x\"] from variable 's'"
w = 1
p((Ractor.shareable_proc { w = 2 } rescue $!.message)) # => "can not make a Proc shareable because it accesses outer variables (w)."
p((Ractor.shareable_proc(self: []) {} rescue $!.message)) # => "self should be shareable: []"
p((Ractor.make_shareable(proc {}) rescue $!.message[/^.+?:/])) # => "Proc's self is not shareable:"
m = nil.instance_exec { proc { [v1, self] } }
p Ractor.make_shareable(m).equal?(m), m.call # => true
# => [:a, nil]
p((m.binding rescue $!.message)) # => "Can't create Binding from isolated Proc"
p((f.binding rescue $!.message)) # => "Can't create Binding from isolated Proc"
e = Ractor.shareable_proc { eval("n") }
begin
  e.call
rescue SyntaxError => error
  puts error.message # => can not access variable 'n' from isolated Proc
end
q = proc { eval("n") }
p q.call, Ractor.shareable?(:upcase.to_proc), Ractor.shareable?(Ractor.make_shareable(:upcase.to_proc)) # => 42
# => false
# => true
p [1, 2].map(&Ractor.shareable_proc { |i| i + n }) # => [43, 44]
Warning[:experimental] = false
p Ractor.new(f) { |f| f.call }.value # => 42

# shareable_constant_value
# shareable_constant_value: literal
LITERAL = { a: ["x", [1]] }
p Ractor.shareable?(LITERAL), LITERAL[:a][0].frozen? # => true
# => true
# shareable_constant_value: experimental_everything
ALL = [Object.new, +"x"]
p Ractor.shareable?(ALL) # => true
# shareable_constant_value: experimental_copy
source = [+"y"]
COPY = source
p Ractor.shareable?(COPY), source.frozen? # => true
# => false
# shareable_constant_value: none
