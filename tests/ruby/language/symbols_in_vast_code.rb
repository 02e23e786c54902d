# In code with more call sites than have caches of their own, `&:name` is no ordinary call of that name.
class Made
  def initialize = @at = 5
  protected def hidden = 42
end

class Giving
  def give(v, k: 1) = yield(v)
end

eval <<~RUBY
  def vast(made)
    if nil
      #{"made.y\n" * 33_000}
    end
    Made.new
    p Giving.new.give(Made, k: 1, &:new).class
    p(Giving.new.give(made, k: 1, &:hidden)) rescue puts $!.message
    p [made].map(&:class)
  end
RUBY
vast(Made.new) # => Made
# => protected method 'hidden' called for an instance of Made
# => [Made]
