# Errors say where the part is that is not shareable.
# parallel: no, it names its constants
Warning[:experimental] = false
Thread.report_on_exception = false

def told(&block)
  Ractor.new(&block).value
rescue Ractor::RemoteError => e
  e.cause.message
end

S = Struct.new(:name, :list)
D = Data.define(:x)
class O
  def initialize(a) = (@a = a; freeze)
end
tail = ->(text) { text.delete_prefix("can not access non-shareable objects in constant ") }

PLAIN = [1, 2]
DEEP = { a: [1, S.new(1, [+"x"].freeze).freeze].freeze, 2 => nil, "k" => nil }.freeze
BY_STRING = { "key" => D.new(O.new([[]].freeze)) }.freeze
RANGE = (1..2)
KEYED = { [+"in a key"].freeze => 1 }.freeze
DEFAULT = Hash.new(+"d").freeze
SELF = [nil, Object.new].freeze
puts tail[told { PLAIN }] # => Object::PLAIN by non-main Ractor.
puts tail[told { DEEP }] # => Object::DEEP by non-main Ractor. (Object::DEEP[:a][1].list[0] is a non-shareable String)
puts tail[told { BY_STRING }] # => Object::BY_STRING by non-main Ractor. (Object::BY_STRING["key"].x.@a[0] is a non-shareable Array)
p told { RANGE } # => 1..2
puts tail[told { KEYED }] # => Object::KEYED by non-main Ractor. (Object::KEYED.keys[0][0] is a non-shareable String)
puts tail[told { DEFAULT }] # => Object::DEFAULT by non-main Ractor. (Object::DEFAULT.default is a non-shareable String)
puts tail[told { SELF }] # => Object::SELF by non-main Ractor. (Object::SELF[1] is a non-shareable Object)

# One that leads back to itself.
loop_ = [+"x"]
ROUND = [[loop_].freeze].freeze
loop_ << ROUND
loop_.freeze
puts tail[told { ROUND }] # => Object::ROUND by non-main Ractor. (Object::ROUND[0][0][0] is a non-shareable String)

class C
  @iv = [1, [+"x"].freeze].freeze
  @@cv = { 1 => +"x" }.freeze
  def self.iv = @iv
  def self.cv = @@cv
end
puts told { C.iv } # => can not get unshareable values from instance variables of classes/modules from non-main Ractors (@iv from C) (@iv[1][0] is a non-shareable String)
puts told { C.cv } # => can not access class variables from non-main Ractors (@@cv from C) (@@cv[1] is a non-shareable String)
puts told { C.const_set(:NEW, [+"x"].freeze) } # => can not set constants with non-shareable objects by non-main Ractors (NEW[0] is a non-shareable String)

x = S.new(1, [+"a"].freeze).freeze
puts((Ractor.shareable_proc { x } rescue $!.message)) # => cannot make a shareable Proc because it can refer unshareable object #<struct S name=1, list=["a"]> from variable 'x' (x.list[0] is a non-shareable String)
puts((Ractor.make_shareable({ a: [1, Thread.current] }) rescue $!.message.sub(/#<.*>/, "#<…>"))) # => can not make shareable object for #<…> (it is [:a][1] of the Hash)
puts((Ractor.make_shareable(Mutex.new) rescue $!.message.sub(/#<.*>/, "#<…>"))) # => can not make shareable object for #<…>

# Objects by their ids.
text = "text"
p((Ractor.new(text.object_id) { |id| ObjectSpace._id2ref(id) rescue $!.class }).value) # => RangeError
p ObjectSpace._id2ref(text.object_id).equal?(text) # => true
