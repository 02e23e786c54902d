# `nil?` is a method of Kernel: what inherits from BasicObject alone has none, also where a call of it is hot.
class Ordinary
  attr_writer :held
  def held? = !@held.nil?
end
def ask(v) = v.nil?
def answers(list)
  list.map do |v|
    ask(v)
  rescue NoMethodError
    :none
  end
end
def many(list) = (GC.stress ? 3 : 300).times.map { answers(list) }.uniq
holder = Ordinary.new
ordinary = [nil, 1, 1.5, "s", :s, [], holder, Ordinary, true]
p many(ordinary) # => [[true, false, false, false, false, false, false, false, false]]
p many([BasicObject.new, nil]) # => [[:none, true]]

class Blank < BasicObject; end
class Below < Blank; end
class Said < BasicObject
  def nil? = :said
end
class Missing < BasicObject
  def method_missing(name, ...) = name
end
class Included < BasicObject
  include ::Kernel
end
blanks = [Blank.new, Below.new, Class.new(Blank).new, Blank.dup.new, Class.new(BasicObject).allocate]
p many(blanks) # => [[:none, :none, :none, :none, :none]]
own = Blank.new
class << own
  def nil? = :own
end
other = Blank.new
class << other; end
p many([own, other, Said.new, Missing.new, Included.new, Blank]) # => [[:own, :none, :said, :nil?, false, false]]
p many(ordinary) # => [[true, false, false, false, false, false, false, false, false]]
held = [nil, 1, "s", Blank.new, own].map do |v|
  holder.held = v
  (GC.stress ? 3 : 300).times.map { holder.held? rescue :none }.uniq
end
p held # => [[false], [true], [true], [:none], [false]]
p [BasicObject].map(&:new).map { _1.nil? rescue :none } # => [:none]

# A class of the program may have one still.
class Ordinary
  def nil? = :ordinary
end
p many([nil, holder, Blank.new, 1]) # => [[true, :ordinary, :none, false]]
