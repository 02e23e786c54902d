# defined? names the kind of an expression without evaluating it.
x = 1
@i = 1
$g = 1
p defined?(x), defined?(@i), defined?($g), defined?(String), defined?(puts), defined?(1), defined?(nil)
# => "local-variable"
# => "instance-variable"
# => "global-variable"
# => "constant"
# => "method"
# => "expression"
# => "nil"
p defined?(y), defined?(@none), defined?($none), defined?(Missing), defined?(missing), defined?(String.missing)
# => nil
# => nil
# => nil
# => nil
# => nil
# => nil
p defined?(self), defined?(true), defined?(x = 2), defined?(x + 1), defined?(yield), defined?(super)
# => "self"
# => "true"
# => "assignment"
# => "method"
# => nil
# => nil
p x # => 1
p defined?(String.new), defined?(String::Missing), defined?(Missing::Deep), defined?(@@cv), defined?([1]), defined?("#{x}")
# => "method"
# => nil
# => nil
# => nil
# => "expression"
# => "expression"
p defined?(raise("not evaluated")), defined?(@i && x), defined?(!x), defined?(if x then 1 end)
# => "method"
# => "expression"
# => "method"
# => "expression"
class P
  @@cv = 1
  def a = defined?(super)
  def cv = defined?(@@cv)
  def block = defined?(yield)
  def private_call = defined?(hidden)
  private def hidden = 1
end
class Q < P
  def a = defined?(super)
end
q = Q.new
p q.a, P.new.a, q.cv, q.block, q.block {}, q.private_call, defined?(q.hidden), defined?(q.a), defined?(q.a.b.c)
# => "super"
# => nil
# => "class variable"
# => nil
# => "yield"
# => "method"
# => nil
# => "method"
# => nil
"abc" =~ /b(c)/
p defined?($~), defined?($1), defined?($2), defined?($&), defined?($`)
# => "global-variable"
# => "global-variable"
# => nil
# => "global-variable"
# => "global-variable"
p defined?(p 1), defined?(->{}), defined?(:a), defined?(1..2), defined?(__method__), defined?(__FILE__)
# => "method"
# => "expression"
# => "expression"
# => "expression"
# => "method"
# => "expression"
p defined?(@a ||= 1), @a
# => "assignment"
# => nil
if false
  never = 1
end
p defined?(never), never
# => "local-variable"
# => nil
p defined?(Object.new.foo), defined?([].size), defined?([missing]), defined?(x.y)
# => nil
# => "method"
# => nil
# => nil
p (defined? x), defined?(@i).frozen?
# => "local-variable"
# => true
