# Corners of several core classes, found by reading what CRuby's own tests ask for.

class Attributes
  attr_accessor :both
  attr_reader :one
end
p Attributes.instance_method(:both).source_location[1] # => 4
p Attributes.instance_method(:both=).source_location[1] # => 4
p Attributes.instance_method(:one).inspect.end_with?(":5>") # => true

def with_argument(a) = a
of_method = method(:with_argument).to_proc.binding
p of_method.local_variables # => []
p of_method.source_location[1] # => 11
p of_method.local_variable_set(:v, 1) # => 1
p of_method.local_variable_get(:v) # => 1
p method(:with_argument).to_proc.inspect.end_with?(" (lambda)>") # => true
p Class.new { define_method(:name_of, :class.to_proc) }.instance_method(:name_of).parameters # => [[:req], [:rest]]

long = ->(x,
          y) do
  x + y
end
p long.source_location[1] # => 21

def left_behind
  lambda { Proc.new { return :never } }.call.call
end
begin
  left_behind
rescue LocalJumpError => e
  p e.message # => "unexpected return"
end

own = binding
class << own
  attr_accessor :mark
end
copy = own.clone
copy.mark = 1
p copy.mark # => 1

p((nil..3).overlap?(nil..)) # => true
begin
  (1r..2r).bsearch
rescue TypeError => e
  p e.message # => "can't do binary search for Rational"
end
begin
  Numeric.new.quo(1)
rescue TypeError => e
  p e.message # => "can't convert Numeric into Rational"
end

Pair = Data.define(:left, :right)
p Pair.respond_to?(:define) # => false
begin
  Pair.new(1, right: 2)
rescue ArgumentError => e
  p e.message # => "wrong number of arguments (given 2, expected 0)"
end

counted = Object.new
def counted.to_str = (@count = (@count || 0) + 1) && "@counted"
Object.new.instance_variable_get(counted)
p counted.instance_variable_get(:@count) # => 1

begin
  Object.const_defined?("RUBY_VERSION::Inner")
rescue TypeError => e
  p e.message.end_with?("does not refer to class/module") # => true
end
# Whether the name is known already, or not.
begin
  Object.const_defined?("RUBY_VERSION::Never#{"Heard"}Of::Nor")
rescue TypeError => e
  p e.message.end_with?("does not refer to class/module") # => true
end
p Object.const_defined?("Comparable::Never#{"Heard"}Of::Nor"), Object.const_defined?("::Never#{"Heard"}Of") # => false
# => false
frozen = Class.new { const_set(:A, 1) }.freeze
begin
  frozen.class_eval { private_constant :A }
rescue FrozenError => e
  p e.class # => FrozenError
end

p defined?({ a: nowhere }) # => nil
p defined?(itself(a: nowhere)) # => nil
p defined?({ **nowhere }) # => nil
p defined?((; itself)) # => "expression"

map = ObjectSpace::WeakKeyMap.new
[1, 2**70, 1.5, :a, nil].each do |key|
  map[key] = 1
rescue ArgumentError
  print "x"
end
puts # => xxxxx
weak = ObjectSpace::WeakMap.new
bare = BasicObject.new
weak[bare] = bare
p weak.inspect.include?("#<BasicObject:0x") # => true
begin
  Warning.warn("a".encode("UTF-16BE"))
rescue Encoding::CompatibilityError => e
  p e.message # => "ASCII incompatible encoding: UTF-16BE"
end

p Time.new("2021-12-25+09:00") # => 2021-12-25 00:00:00 +0900
p Time.new("2021-12-25 00:00:00.123456789876 +09:00", precision: nil).subsec # => (30864197469/250000000000)
p Time.gm(2000, 1, 1, 0, 0, "0", :ignored, :ignored) # => 2000-01-01 00:00:00 UTC
p Time.at(2.quo(3)).utc.xmlschema(12) # => "1970-01-01T00:00:00.666666666666Z"
begin
  Time.now.send(:initialize, 2000)
rescue TypeError => e
  p e.message # => "already initialized Time"
end

p 767573.1875850001.round(5, half: :even) # => 767573.18759
p 767573.187575.round(5, half: :even) # => 767573.18758
p 5.015.round(2, half: :even) # => 5.02
p ["fff"].pack("h5") # => "\xFF\x0F\x00"
p "#86)CX\r\n#9&5FX\r\n".unpack("u") # => ["abcdef"]
begin
  File.fnmatch("a\0z", "a")
rescue ArgumentError => e
  p e.message # => "string contains null byte"
end

guarded = Class.new do
  def ask(name) = public_send(name)
  protected def hidden = 1
end
begin
  guarded.new.ask(:hidden)
rescue NoMethodError => e
  p e.message.start_with?("protected method 'hidden' called") # => true
end
p Signal.list.keys[0].equal?(Signal.list.keys[0]) # => true
group = ThreadGroup.new
Thread.new do
  group.add(Thread.current)
  group.freeze
  Thread.new {}
rescue ThreadError => e
  p e.message # => "can't start a new thread (frozen ThreadGroup)"
end.join

def none_expected
  1
end
begin
  none_expected(1)
rescue ArgumentError => e
  p e.backtrace_locations.first.lineno == method(:none_expected).source_location[1] # => true
end

module Narrow
  Named = refine(Integer) {}
  p Named # => #<refinement:Integer@Narrow>
end
class Cloned
  VALUE = :original
  def value = VALUE
end
Copied = Cloned.clone
class Copied
  remove_const :VALUE
  VALUE = :copy
end
p Copied.new.value # => :copy
p Cloned.new.value # => :original
p Module.new { module_function; define_method(:both) { 1 } }.both # => 1
p Class.new { private def hidden = 1; def ask = defined?(self.hidden) }.new.ask # => nil
"abc" =~ /(a)(x)?(b)/
p global_variables.grep(/\A\$[1-9]/) # => [:$1, :$3]
p "aaa".encode("UTF-16") # => "\xFE\xFF\x00\x61\x00\x61\x00\x61"
p "abc".encode("UTF-16LE").to_sym # => :"abc"
p Struct.new(:a).instance_method(:a=).parameters # => [[:req, :_]]
p Time.gm(2000).getlocal("-0000").utc? # => true
p Time.gm(2000).strftime("%4^p") # => "%4^p"
begin
  Time.new("2020-12-25 00:56. +0900")
rescue ArgumentError => e
  p e.message # => "fraction min is not supported: 00:56."
end
module Before; end
class Dumped; end
dumped = Dumped.new
dumped.singleton_class.prepend(Before)
p Marshal.load(Marshal.dump(dumped)).is_a?(Before) # => true
