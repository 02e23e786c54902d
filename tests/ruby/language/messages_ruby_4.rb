# Messages and formats in their Ruby 4.0 form (see benches/FORMATS.md).
def message
  yield
rescue StandardError => e
  puts e.message
end

class Foo
  def shown = 1
  private def hidden = 2
  protected def shielded = 3
end
module Bar; end

message { Foo.new.missing } # => undefined method 'missing' for an instance of Foo
message { Foo.missing } # => undefined method 'missing' for class Foo
message { Bar.missing } # => undefined method 'missing' for module Bar
message { nil.missing } # => undefined method 'missing' for nil
message { true.missing } # => undefined method 'missing' for true
message { 1.missing } # => undefined method 'missing' for an instance of Integer
message { missing } # => undefined local variable or method 'missing' for main
message { missing() } # => undefined method 'missing' for main
message { Foo.new.instance_eval { missing } } # => undefined local variable or method 'missing' for an instance of Foo
message { Foo.new.hidden } # => private method 'hidden' called for an instance of Foo
message { Foo.new.shielded } # => protected method 'shielded' called for an instance of Foo
message { Missing } # => uninitialized constant Missing
message { Foo::Missing } # => uninitialized constant Foo::Missing
message { [].fetch(3) } # => index 3 outside of array bounds: 0...0
message { Integer("x") } # => invalid value for Integer(): "x"
message { Foo.class_eval { undef_method :gone } } # => undefined method 'gone' for class 'Foo'

p({ a: 1, "b" => 2, nil => 3, 4 => [5] }) # => {a: 1, "b" => 2, nil => 3, 4 => [5]}
p({ "odd key": 1, a?: 2, B: 3, "c=": 4, :+ => 5, "": 6 }) # => {"odd key": 1, a?: 2, B: 3, "c=": 4, "+": 5, "": 6}
p({}) # => {}
puts "#{{ x: { y: 1 } }}" # => {x: {y: 1}}
p({ 1.5 => :a, :b => :c }) # => {1.5 => :a, b: :c}
message { { a: 1 }.fetch(:b) } # => key not found: :b

def failing = raise("here")
begin
  failing
rescue => e
  puts e.backtrace[0][/:\d+:in .*/] # => :39:in 'Object#failing'
end
begin
  1 + nil
rescue => e
  puts e.backtrace[0][/:\d+:in .*/] # => :46:in 'Integer#+'
end
begin
  [1].each { |x| raise "block" }
rescue => e
  puts e.backtrace[0][/:\d+:in .*/] # => :51:in 'block in <main>'
  puts e.backtrace[1][/:\d+:in .*/] # => :51:in 'Array#each'
end
class Foo
  def self.fail_in_class_method = raise("there")
end
begin
  Foo.fail_in_class_method
rescue => e
  puts e.backtrace[0][/:\d+:in .*/] # => :57:in 'Foo.fail_in_class_method'
end
# parallel: no, messages name the main object, and self is a copy of it
