# A condition that begins with `!` or `not` calls the method, as `!=` does.

class Odd
  def initialize(answer) = @answer = answer
  def ! = @answer
end

yes, no = Odd.new(:yes), Odd.new(nil)
p(!yes, !no)
puts(if !yes then "then" else "else" end)
puts(if !no then "then" else "else" end)
puts(if not yes then "then" else "else" end)
puts(unless !yes then "then" else "else" end)
puts(unless not no then "then" else "else" end)
puts !yes ? "then" : "else"
puts !no ? "then" : "else"
puts((!yes && "and") || "or")
puts((!no && "and") || "or")
p(!!yes, !!no)
puts "twice" if !!no
puts "modifier" if !yes
puts "modifier" unless !no

# => :yes
# => nil
# => then
# => else
# => then
# => else
# => then
# => then
# => else
# => and
# => or
# => false
# => true
# => twice
# => modifier
# => modifier

class Count
  attr_reader :asked
  def initialize(n)
    @n = n
    @asked = 0
  end

  def !
    @asked += 1
    (@n -= 1) >= 0
  end
end

count = Count.new(3)
n = 0
n += 1 while !count
p n, count.asked
# => 3
# => 4

count = Count.new(-1)
n = 0
begin
  n += 1
  count = Count.new(2) if n == 5
end until !count
p n
# => 5

def both(a, b) = !(a && b) ? "not both" : "both"
puts both(1, 2), both(1, nil), both(nil, yes), both(1, yes), both(1, no)
# => both
# => not both
# => not both
# => not both
# => both

class Same
  def ==(other) = other == 1
end

class Differs
  def !=(_) = nil
end
p Same.new != 1, Same.new != 2, Differs.new != 3
puts "differs" if Differs.new != 3
puts "same" unless Same.new != 1
puts "not equal" if !(Same.new == 2)
# => false
# => true
# => nil
# => same
# => not equal

class Broken
  def ! = raise("no")
end

def asks(x) = !x ? 1 : 2
begin
  asks(Broken.new)
rescue => e
  puts e.message, e.backtrace[0][/in .*/], e.backtrace[1][/in .*/]
end
# => no
# => in 'Broken#!'
# => in 'Object#asks'

class Wiped < BasicObject
  undef_method :!
  def method_missing(name, *) = name == :!
end
puts "missing" if !Wiped.new
# => missing

# Of immediates, too, and it is seen at once.
def falls(x) = !x ? :then : :else
before = [nil, false, true, 1, :a, 1.5].map { falls(_1) }
p before
# => [:then, :then, :else, :else, :else, :else]

class NilClass
  def ! = false
end
class Integer
  def ! = self == 1
end
p [nil, false, true, 1, 2, :a, 1.5].map { falls(_1) }
# => [:else, :then, :else, :then, :else, :else, :else]
p((1 if !nil), (1 if !1), (1 unless !2), (not 1))
# => nil
# => 1
# => 1
# => true
p [nil, 3].map { |x| x.nil? }
# => [true, false]

class Nobody
  def nil? = true
end
p [Nobody.new.nil?, (1 if Nobody.new.nil?), (1 if !Nobody.new.nil?)]
# => [true, 1, nil]
