# Corners of the language: comparisons that are negated, cells that are set once, aliases of globals, jumps.
# args: -W0
# parallel: no, END and constants of Object are the program's

# Negated comparisons in conditions, of all kinds of operands.
def unequal(a, b)
  if a != b then :differ else :same end
end
p [unequal(1, 1), unequal(1, 2), unequal(1, 1.0), unequal("a", "a"), unequal(nil, false), unequal(0.0, -0.0)] # => [:same, :differ, :same, :same, :differ, :same]
def count_down(n, stop)
  steps = 0
  while n != stop
    n -= 1
    steps += 1
  end
  steps
end
p count_down(10, 3) # => 7
class Odd
  def ==(other) = other == :odd
end
p unequal(Odd.new, :odd) # => :same
p unequal(Odd.new, :even) # => :differ
class Odder < BasicObject
  def !=(other) = :neither
end
p unequal(Odder.new, 1) # => :differ
p((Float::NAN != Float::NAN) ? 1 : 2) # => 1
def ordered(a, b) = [a < b, a <= b, a > b, a >= b].map { |x| x ? 1 : 0 }
p(ordered(1, 2)) # => [1, 1, 0, 0]
p(ordered(2, 2)) # => [0, 1, 0, 1]
p(ordered(2.5, 2)) # => [0, 0, 1, 1]
p(ordered("a", "b")) # => [1, 1, 0, 0]
p(ordered(2**70, 2**70)) # => [0, 1, 0, 1]
def choose(a, b)
  r = []
  r << :lt if a < b
  r << :le if a <= b
  r << :gt if a > b
  r << :ge if a >= b
  r << :not_lt unless a < b
  r << :not_le unless a <= b
  r << :not_gt unless a > b
  r << :not_ge unless a >= b
  r
end
p(choose(1, 2)) # => [:lt, :le, :not_gt, :not_ge]
p(choose(2, 1)) # => [:gt, :ge, :not_lt, :not_le]
p(choose(2, 2)) # => [:le, :ge, :not_lt, :not_gt]
p(choose(1.0, Float::NAN)) # => [:not_lt, :not_le, :not_gt, :not_ge]
begin
  choose(1, "x")
rescue ArgumentError => e
  puts e.message[/.*failed/] # => comparison of Integer with String failed
end
def constants(n) = [n < 3, n <= 3, n > 3, n >= 3, n == 3, n != 3].map { |x| x ? 1 : 0 }.join
puts constants(2), constants(3), constants(4), constants(3.0), constants(2**64)
# => 110001
# => 010110
# => 001101
# => 010110
# => 001101

# `o` regexps are made once.
def once(x) = /a#{x}/o
p(once(1)) # => /a1/
p(once(2)) # => /a1/
p once(1).equal?(once(3)) # => true

# block_given? and its aliases, in methods and blocks.
def given = block_given?
p(given) # => false
p(given {}) # => true
p(given(&nil)) # => false
p(given(&:x)) # => true
def given_in_block = [1].map { block_given? }
p(given_in_block) # => [false]
p(given_in_block {}) # => [true]
def given_in_lambda = -> { block_given? }.call
p given_in_lambda { } # => true
def given_defined = defined?(yield)
p(given_defined) # => nil
p(given_defined {}) # => "yield"

# $! and $@
def current = $!
p current # => nil
begin
  raise "one"
rescue
  begin
    raise "two"
  rescue
    p($!.message) # => "two"
    p($!.cause.message) # => "one"
    p(current.message) # => "two"
  end
  p $!.message # => "one"
  p $@.class # => Array
end
p $! # => nil
def ensured
  yield
ensure
  p $!&.message
# => nil
# => "three"
end
ensured { 1 }
begin
  ensured { raise "three" }
rescue
end

# Aliases of global variables.
$plain = 1
alias $other $plain
$other += 1
p($plain) # => 2
p(defined?($other)) # => "global-variable"
p(defined?($unset)) # => nil

# Class variables.
class Counter
  @@count = 0
  def self.step = @@count += 1
  def self.defined = [defined?(@@count), defined?(@@none)]
  def self.or_set = @@later ||= 5
end
Counter.step
p(Counter.step) # => 2
p(Counter.defined) # => ["class variable", nil]
p(Counter.or_set) # => 5
p(Counter.class_variables.sort) # => [:@@count, :@@later]
begin
  class Counter; @@none; end
rescue NameError => e
  puts e.message # => uninitialized class variable @@none in Counter
end

# Flip-flops.
p (1..12).select { |i| true if (i % 5 == 0)..(i % 3 == 0) } # => [5, 6, 10, 11, 12]
p (1..12).select { |i| true if (i % 5 == 0)...(i % 5 == 0) } # => [5, 6, 7, 8, 9, 10]

# redo, next and break with values; loops as values.
tries = 0
p [1, 2].map { |x| tries += 1; redo if tries == 1; next x * 10 if x == 1; x } # => [10, 2]
p tries # => 3
p((while true do break end)) # => nil
p((while true do break 1, 2 end)) # => [1, 2]
p((until true do end)) # => nil
p [1, 2, 3].each { |x| break x * 2 if x == 2 } # => 4
r = begin 1 end while false
p r # => nil
i = 0
begin i += 1 end while i < 3
p i # => 3
p (for a, (b, *c) in [[1, [2, 3, 4]]] do p [a, b, c] end)
# => [1, 2, [3, 4]]
# => [[1, [2, 3, 4]]]
p [a, b, c] # => [1, 2, [3, 4]]

# Interpolation asks for to_s, and takes the plain form if that is no String.
class Strange
  def to_s = nil
end
puts "#{Strange.new}".sub(/0x\h+/, "0x") # => #<Strange:0x>
puts "a#{}b#{nil}c#{:d}#{1.5}#{2**70}" # => abcd1.51180591620717411303424
p(:"a#{1}b") # => :a1b
p(`echo #{1 + 1}`) # => "2\n"

# and, or, not; safe navigation; conditional assignment.
p((nil and 1)) # => nil
p((false or nil)) # => nil
p((not nil)) # => true
x = nil
p(x&.foo) # => nil
p(x&.foo(raise)) # => nil
p((x&.foo ||= 1)) # => nil
p(x.to_a) # => []
h = { a: nil }
h[:a] ||= 3
h[:b] ||= 4
h[:a] &&= h[:a] + 1
p h # => {a: 4, b: 4}
s = Struct.new(:v).new(1)
s.v += 1
s&.v *= 5
p s.v # => 10
A ||= 1
Object::B ||= 2
p(A) # => 1
p(B) # => 2

# BEGIN and END, __LINE__, __method__, __dir__.
def where = [__method__, __LINE__.class]
p where # => [:where, Integer]
p(__ENCODING__) # => #<Encoding:UTF-8>
p(__FILE__ == $0 || __FILE__.end_with?("language.rb")) # => true
p(defined?(super)) # => nil
p(defined?(p)) # => "method"
p(defined?(String.new)) # => "method"
p(defined?(@a)) # => nil
p(defined?(A)) # => "constant"
p(defined?(nil)) # => "nil"
p(defined?(self)) # => "self"
p(defined?(1 + 1)) # => "method"
p(defined?(a = 1)) # => "assignment"
p(defined?(A::C)) # => nil
undef where
p respond_to?(:where, true) # => false
END { puts "end" } # => end
