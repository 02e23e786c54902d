# args: --jit=always
# Literals, interpolations and Ranges that compiled code makes.

def shown(i, s) = "a#{i}b#{s}c"
def literal = "lit"
def range(a, b) = a..b
def exclusive(a, b) = a...b
class Shown
  def to_s = "S"
end
class Bare
  def to_s = 5
end

200.times { |i| shown(i, "x"); literal; range(1, i); exclusive(i, nil) }
p shown(1, "x") # => "a1bxc"
p shown(:sym, 1.5) # => "asymb1.5c"
p shown(Shown.new, nil) # => "aSbc"
p shown(2**70, "é") # => "a1180591620717411303424béc"
p shown("\xFF".b, 1).encoding # => #<Encoding:BINARY (ASCII-8BIT)>
begin
  shown("\xFF".b, "é")
rescue => e
  p e.class # => Encoding::CompatibilityError
end
p shown(Bare.new, 1).start_with?("a#<Bare") # => true
p literal.equal?(literal) # => false
p literal.frozen? # => false
p literal << "!" # => "lit!"
p literal # => "lit"
p range(1, 3) # => 1..3
p range("a", "b") # => "a".."b"
p range(1.5, 2) # => 1.5..2
p range(1, nil) # => 1..
p exclusive(nil, nil) # => nil...nil
p range(1, 2).frozen? # => true
begin
  exclusive(1, Object.new)
rescue => e
  p e.message # => "bad value for range"
end

class Integer
  alias plain to_s
  def to_s(...) = "<#{plain(...)}>"
end
p shown(3, 4) # => "a<3>b<4>c"
class Integer
  alias to_s plain
end
p shown(3, 4) # => "a3b4c"
class Symbol
  def to_s = "SYM"
end
p shown(:a, :b) # => "aSYMbSYMc"

class String
  alias compare <=>
  def <=>(other) = $asked = other
end
p range("a", "b") # => "a".."b"
p $asked # => "b"
