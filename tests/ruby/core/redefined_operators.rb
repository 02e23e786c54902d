# Every operator that the interpreter answers without a call can be redefined in every class that has it, whoever defines it:
# the class, a module in front of it, an ancestor. The core library goes on counting with the core's own.

operands = {
  Integer => [7, 2], Float => [7.5, 2.0], String => ["ab", "cd"], Symbol => [:ab, :cd], Array => [[1], [2]],
  Hash => [{ 1 => 2 }, { 3 => 4 }], Range => [1..2, 2], NilClass => [nil, nil], TrueClass => [true, true],
  FalseClass => [false, false]
}
binary = %i[+ - * / % & | ^ << >> < <= > >= == != === <=> []]
unary = %i[-@ ! to_s inspect size length empty? nil?]
shown = { :-@ => "-a", :! => "!a", :[] => "a[b]" }

ask = lambda do |name|
  text = shown[name] || (binary.include?(name) ? "a #{name} b" : "a.#{name}")
  ["->(a, b) { #{text} }", "->(a, b) { (#{text}) ? #{text} : #{text} }"].map { |source| eval(source) }
end

wrong = []
count = 0
operands.each do |owner, (a, b)|
  (binary + unary).each do |name|
    next unless a.respond_to?(name)
    asked = ask.(name)
    before = asked.map { |f| f.(a, b) rescue :raised }
    saved = owner.instance_methods(false).include?(name) && owner.instance_method(name)
    owner.define_method(name) { |*| :redefined }
    after = asked.map { |f| f.(a, b) }
    if saved
      owner.define_method(name, saved)
    else
      owner.remove_method(name)
    end
    restored = asked.map { |f| f.(a, b) rescue :raised }
    count += 1
    wrong << [owner, name, before, after, restored] unless after == [:redefined, :redefined] && restored == before
  end
end
p wrong # => []
p count > 130 # => true

# Jumps by comparisons.
class Integer
  %i[< <= > >= == !=].each { |name| alias_method :"core#{name}", name }
  def <(_) = false
  def <=(_) = false
  def >(_) = true
  def >=(_) = true
  def ==(_) = false
end
found = []
found << :lt if 1 < 2
found << :le if 1 <= 2
found << :gt if 1 > 2
found << :ge if 1 >= 2
found << :eq if 1 == 1
found << :ne if 1 != 1
one = 1
found << :gt2 if one > one
found << :case unless (case 1 when 1 then true end)
p found # => [:gt, :ge, :ne, :gt2]

# The core library does not count with them.
class Integer
  alias core_plus +
  def +(other) = core_plus(other).core_plus(100)
end
met = []
[1, 2].each { met << :each }
2.times { met << :times }
1.upto(2) { met << :upto }
(1..2).each { met << :range }
[5].each_with_index { |_, i| met << i }
p met # => [:each, :each, :times, :times, :upto, :upto, :range, :range, 0]
p [1, 2].inject(:+) # => 103
p [1, 2].inject { |a, b| a + b } # => 103
p [3, 1, 2].sort # => [1, 2, 3]
class Integer
  %i[< <= > >= == !=].each { |name| alias_method name, :"core#{name}" }
  alias + core_plus
end
p 1 + 1, 1 < 2, 1 == 1
# => 2
# => true
# => true

# By a module, by an ancestor, by a refinement.
module Loud
  def +(other) = "loud #{super}"
end
Float.prepend(Loud)
p 1.5 + 1, 1 + 1
# => "loud 2.5"
# => 2
class Object
  def nil? = :object
end
p 1.nil?, :a.nil?, nil.nil?
# => :object
# => :object
# => true
class BasicObject
  def ==(_) = :basic
end
p nil == 1, true == true, :a == :b, 1 == 2
# => :basic
# => :basic
# => false
# => false
module Refined
  refine(Symbol) { def to_s = "refined" }
end
using Refined
p "#{:a}", :a.to_s
# => "refined"
# => "refined"

class Named < String
  def ==(_) = true
end
p [Named.new("a")].include?("b") # => true
