# A delegator forwards public methods only, says so of private ones, and is frozen with its object.
require "delegate"

class Target
  def shown = 1

  protected def guarded = 2

  private def hidden = 3
end

delegator = SimpleDelegator.new(Target.new)
p delegator.protected_methods # => [:guarded]
%i[guarded hidden].each do |name|
  delegator.method(name)
rescue NameError => e
  p e.class # => NameError
  # => NameError
end
# stderr: delegator does not forward private method #guarded
# stderr: delegator does not forward private method #hidden
p delegator.respond_to?(:hidden), delegator.respond_to?(:shown, true) # => false
# => true
list = SimpleDelegator.new([1])
list.freeze
begin
  list << 2
rescue FrozenError => e
  p e.message # => "can't modify frozen Array: [1]"
end
