# What a program redefines turns compiled code off only where that takes the operator for the core's.
class Range
  alias core_case_equal ===
  def ===(v) = core_case_equal(v)
end
class Symbol
  def <(other) = to_s < other.to_s
end

def sum(n)
  total = 0
  i = 0
  while i < n
    total += i
    i += 1
  end
  total
end
compiled = -> { RubyVM::JIT.stats[:compiled_units] }
if RubyVM::JIT.enabled?
  before = compiled.()
  sum(300_000) until compiled.() > before
end
p sum(10) # => 45

# Questions that some class answers itself.
class Null
  def nil? = true
  def ! = true
end

def kinds(list)
  list.map { |v| [v.nil?, !v, v.nil? ? 1 : 0, (!v ? :not : :is)] }
end
values = [nil, false, true, 1, :a, "s", Null.new, Object.new, 2.0]
expected = kinds(values)
2000.times { raise "differs" unless kinds(values) == expected }
p expected.map(&:first) # => [true, false, false, false, false, false, true, false, false]
p expected.map { it[1] } # => [true, true, false, false, false, false, true, false, false]

# A block parameter: none, one that is passed on, one that is made, one that is changed.
def taken(&block) = block
def passed(&block) = taken(&block)
def called(&block) = block ? block.call(1) : 0
def replaced(&block)
  block = nil if block && block.arity == 1
  block
end
20_000.times do |i|
  raise "a block" if taken || passed
  made = proc { |x| x }
  raise "another" unless taken(&made).equal?(made) && passed(&made).equal?(made)
  raise "no value" unless called == 0 && called { |x| x + i } == i + 1
  raise "not replaced" if replaced { |x| x }
end
p passed { 3 }.call # => 3

# The same for Integers from here on.
class Integer
  alias core_plus +
  def +(other) = core_plus(other).core_plus(1)
end
p sum(3) # => 4
