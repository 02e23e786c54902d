# super with and without arguments, through modules, blocks and define_method.
class A
  def initialize(x, y = 2, *rest, k: 0, &block) = @got = [x, y, rest, k, block&.call]
  attr_reader :got
  def plain(a, b = 1) = "A#{a}#{b}"
  def yielding = yield(1)
  def self.build = "A.build"
end
class B < A
  def initialize(x, y = 5, *rest, k: 9, &block)
    x += 1
    super
  end

  def plain(a, b = 7)
    [super, super(a), super(a, 3)]
  end

  def yielding = super { |x| yield(x) * 10 }
  def self.build = super + " B.build"
end
p B.new(1).got # => [2, 5, [], 9, nil]
p B.new(1, 2, 3, k: 4) { :block }.got # => [2, 2, [3], 4, :block]
p B.new(0, 0).plain(0) # => ["A07", "A01", "A03"]
p B.new(0).yielding { |x| x + 1 } # => 20
p B.build # => "A.build B.build"

class C < B
  def plain(...) = super(...).first
  def yielding(&) = super(&)
end
p C.new(0).plain(5), C.new(0).yielding { |x| x + 2 }
# => "A57"
# => 30

module M
  def who = "M>" + super
end
module N
  def who = "N>" + super
end
class Root
  def who = "Root"
end
class Leaf < Root
  include M
  include N
  def who = "Leaf>" + super
end
p Leaf.new.who # => "Leaf>N>M>Root"
leaf = Leaf.new
def leaf.who = "single>" + super
p leaf.who # => "single>Leaf>N>M>Root"

class Defined < A
  define_method(:plain) { |a, b = 2| "D" + super(a, b) }
end
p Defined.new(1).plain(3) # => "DA32"
begin
  Class.new(A) { define_method(:plain) { |a| super } }.new(1).plain(1)
rescue RuntimeError => e
  puts e.class # => RuntimeError
end

class NoParent
  def lonely = super
end
begin
  NoParent.new.lonely
rescue NoMethodError => e
  p e.name # => :lonely
end
class InBlock < A
  def plain(a, b = 4) = [1, 2].map { |i| super(i, b) }
  def got = [0].map { super() }.first
end
p InBlock.new(1).plain(0), InBlock.new(1).got
# => ["A14", "A24"]
# => [1, 2, [], 0, nil]
class Keywords
  def m(a:, b: 2) = [a, b]
end
class KeywordsSub < Keywords
  def m(a:, b: 3) = super
end
p KeywordsSub.new.m(a: 1), KeywordsSub.new.method(:m).super_method.call(a: 5)
# => [1, 3]
# => [5, 2]
