# A delegator's dump has the object and the variables of its own, in the form of CRuby's.
require "delegate"
class Wrapped < SimpleDelegator
  def initialize(object, note)
    super(object)
    @note = note
  end
  attr_reader :note
end
class Listed < DelegateClass(Array)
  def initialize(*) = (super; @mark = [1])
  attr_reader :mark
end
copy = Marshal.load(Marshal.dump(Wrapped.new([1, 2], "n")))
p copy.class, copy.size, copy.note # => Wrapped
# => 2
# => "n"
copy = Marshal.load(Marshal.dump(Listed.new([3])))
p copy.class, copy.first, copy.mark, copy.instance_variables.size # => Listed
# => 3
# => [1]
# => 2
p Wrapped.new(5, 6).marshal_dump # => [:__v2__, [:@note], [6], 5]
p Marshal.dump(Wrapped.new(1, 2)) # => "\x04\bU:\fWrapped[\t:\v__v2__[\x06:\n@note[\x06i\ai\x06"
old = Wrapped.allocate
old.marshal_load([7, 8])
p old.size, old.note # => 2
# => nil
p Marshal.load(Marshal.dump(SimpleDelegator.new("text"))) # => "text"
