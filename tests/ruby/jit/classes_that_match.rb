# args: --jit=always
# parallel: no, methods of core classes are redefined
# `case` on classes in compiled code, while modules are included, and `===` is defined.
module Marked; end
module Late; end
class Animal; end
class Dog < Animal; include Marked; end
class Cat < Animal; end

def kind(x)
  case x
  when Late then :late
  when Marked then :marked
  when Animal then :animal
  when String then :string
  when Numeric then :number
  when nil then :nothing
  else :other
  end
end

values = [Dog.new, Cat.new, "s", 1, 1.5, nil, :sym, 2**70]
wanted = [:marked, :animal, :string, :number, :number, :nothing, :other, :number]
(GC.stress ? 10 : 200).times { raise "kinds" unless values.map { |v| kind(v) } == wanted }
puts :same
# => same

class Cat; include Late; end
p values.map { |v| kind(v) }
# => [:marked, :late, :string, :number, :number, :nothing, :other, :number]

one = Dog.new
one.extend(Late)
p kind(one), kind(Dog.new)
# => :late
# => :marked

def Animal.===(x) = x == :sym
p values.map { |v| kind(v) }
# => [:marked, :late, :string, :number, :number, :nothing, :animal, :number]
class << Animal; remove_method :===; end
p kind(:sym), kind(Animal.new)
# => :other
# => :animal

# Classes come and go; another thread includes modules meanwhile.
made = 40.times.map do |i|
  c = Class.new(i.even? ? Animal : Object)
  [kind(c.new), (c.include(Late); kind(c.new))]
end
p made.tally
# => {[:animal, :late] => 20, [:other, :late] => 20}

class Fresh; end
fresh = Fresh.new
included = false
other = Thread.new do
  200.times { Thread.pass }
  Fresh.include(Marked)
  included = true
end
wrong = 0
until included
  seen = kind(fresh)
  wrong += 1 unless %i[other marked].include?(seen)
end
other.join
p wrong, kind(fresh)
# => 0
# => :marked

def one_of(x, c) = x.is_a?(c)
(GC.stress ? 10 : 200).times { one_of(1, Animal) }
answers = [3, "Animal", [1, 2], Object.new].map do |c|
  one_of(fresh, c)
rescue TypeError => e
  e.message
end
p answers.uniq
# => ["class or module required"]

class Module
  alias old_match ===
  def ===(x) = x == :sym || old_match(x)
end
p kind(:sym), kind(1)
# => :late
# => :number
