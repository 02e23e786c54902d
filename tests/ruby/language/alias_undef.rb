# alias and alias_method copy a method; undef hides it and remove_method takes it away.
class Parent
  def hello = "parent"
  def bye = "bye"
end
class Child < Parent
  def hello = "child"
  alias old_hello hello
  alias_method :older_hello, :hello
  alias :symbol_form :hello
  def hello = "new " + old_hello
end
c = Child.new
p c.hello, c.old_hello, c.older_hello, c.symbol_form
# => "new child"
# => "child"
# => "child"
# => "child"
p Child.instance_method(:old_hello).name, Child.instance_method(:old_hello).original_name
# => :old_hello
# => :hello

class Child
  remove_method :hello
end
p c.hello # => "parent"
class Child
  undef hello
  undef_method :bye
end
[:hello, :bye].each do |name|
  c.public_send(name)
rescue NoMethodError => e
  p e.name
  # => :hello
  # => :bye
end
p Parent.new.hello, Child.method_defined?(:hello), c.old_hello
# => "parent"
# => false
# => "child"

begin
  Child.class_eval { undef nothing_here }
rescue NameError => e
  p e.name # => "nothing_here"
end
begin
  Child.class_eval { remove_method :old_missing }
rescue NameError => e
  p e.name # => :old_missing
end
begin
  Child.class_eval { alias x nothing_here }
rescue NameError => e
  p e.name # => :nothing_here
end

$original = 1
alias $other $original
$other = 2
p $original # => 2
class Array
  alias_method :original_sum, :sum
  def sum(*) = "sum:#{original_sum}"
end
p [1, 2].sum # => "sum:3"
class Array
  alias_method :sum, :original_sum
  remove_method :original_sum
end
p [1, 2].sum, [].respond_to?(:original_sum)
# => 3
# => false
class Undef
  def a; end
  def b; end
  undef a, :b
end
p Undef.instance_methods(false) # => []
class Op
  def +(other) = "plus #{other}"
  alias add +
  alias << +
end
p Op.new.add(1), Op.new << 2
# => "plus 1"
# => "plus 2"
class AliasSuper < Parent
  def hello = super + "!"
  alias greet hello
  def hello = "replaced"
end
p AliasSuper.new.greet # => "parent!"

# An alias of an inherited method stays one when its visibility changes.
class Bare
  class << self
    alias bare allocate
    private :bare
    def allocate = raise(TypeError, "no")
    def make = bare
  end
end
p Bare.make.class # => Bare
# parallel: no, it reopens a core class, which is at the top level only
