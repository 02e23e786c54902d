# `send` by Symbols and Strings, of any visibility, to what is there and what is not, from code that is compiled.
class Sent
  def plain(*list, key: nil, &block) = [list, key, block&.call]
  def one(a) = a
  attr_accessor :value
  private def hidden = :hidden
  protected def guarded = :guarded
  def method_missing(name, *list) = name.end_with?("!") ? [name, list] : super
  def respond_to_missing?(name, all = false) = name.end_with?("!")
end
TIMES = GC.stress ? 5 : 2000
object = Sent.new

def by(object, name, *list) = object.send(name, *list)
def one(object, name, a) = object.send(name, a)
def none(object, name) = object.__send__(name)
NAMES = [:plain, "plain", :hidden, "hidden", :guarded, :dynamic!, "late!"]
TIMES.times { NAMES.each { |name| by(object, name) && none(object, name) } && one(object, "one", 1) }
NAMES.each { |name| p none(object, name) }
# => [[], nil, nil]
# => [[], nil, nil]
# => :hidden
# => :hidden
# => :guarded
# => [:dynamic!, []]
# => [:late!, []]
p by(object, :plain, 1, 2) # => [[1, 2], nil, nil]
p by(object, :plain, { key: 1 }) # => [[{key: 1}], nil, nil]
p object.send(:plain, 1, key: 2) { 3 } # => [[1], 2, 3]
p object.send("plain", *[1, 2], **{ key: 3 }, &-> { 4 }) # => [[1, 2], 3, 4]
p [one(object, :value=, 5), none(object, :value), none(object, "value")] # => [5, 5, 5]
p one(5, :+, 6), one([1, 2], "[]", 1) rescue p $!
# => 11
# => 2
p object.send(:send, :send, "one", 7) # => 7
[[:nothing], ["nothing"], [nil], [1.5], []].each do |list|
  object.send(*list)
rescue NoMethodError, TypeError, ArgumentError => e
  puts e.class, e.message
end
# => NoMethodError
# => undefined method 'nothing' for an instance of Sent
# => NoMethodError
# => undefined method 'nothing' for an instance of Sent
# => TypeError
# => nil is not a symbol nor a string
# => TypeError
# => 1.5 is not a symbol nor a string
# => ArgumentError
# => no method name given
def (name = Object.new).to_str = "one"
p one(object, name, 8) # => 8
begin
  one(object, :hidden, 1)
rescue ArgumentError => e
  p e.message # => "wrong number of arguments (given 1, expected 0)"
end
def from_block(object) = [1, 2].map { |x| object.send(:one, x) { break x } }
p from_block(object) # => [1, 2]
def breaks(object) = object.send(:tap) { break :out }
p breaks(object) # => :out
class Sent
  def one(a) = "new #{a}"
end
p one(object, "one", 9) # => "new 9"

# An Array of arguments becomes the parameter of its own.
def all(*list) = list.push(:more)
given = [1, 2]
TIMES.times { all(*given) }
p [all(*given), given] # => [[1, 2, :more], [1, 2]]
p all(*given, *given) # => [1, 2, 1, 2, :more]
p all(*[], **{}) # => [:more]
p all(*given, { a: 1 }) # => [1, 2, {a: 1}, :more]
p all(*nil) # => [:more]
def block_of(*list, &block) = [list, block.call]
p block_of(*given) { given.size } # => [[1, 2], 2]
