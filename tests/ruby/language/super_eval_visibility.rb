# What reaches around frames: super in eval and in a module that comes twice, visibility in blocks, implicit parameters.
class Base
  def m(a, b = 2, *c, d, k: 1, **o, &bl) = [a, b, c, d, k, o, bl&.call]
end
class Der < Base
  def m(a, b = 3, *c, d, k: 5, **o, &bl)
    a = 9
    [eval("super"), [1].map { eval("super") }[0], eval("[1].map { super }")[0]]
  end
end
p Der.new.m(1, 4).uniq # => [[9, 3, [], 4, 5, {}, nil]]
p Der.new.m(1, 2, 3, 4, k: 7, z: 1) { :bl }.uniq # => [[9, 2, [3], 4, 7, {z: 1}, :bl]]
module Twice
  def t = "T#{super rescue ""}"
end
class A1
  include Twice
end
class A2 < A1
  def t = "2#{super}"
end
class A3 < A2
  prepend Twice
end
p A3.new.t # => "T2T"
class V
  [1].each { private }
  def a; end
  public
  def b; end
  private
  1.times { def d; end }
  eval "public"
  def e; end
end
p V.public_instance_methods(false), V.private_instance_methods(false).sort # => [:b]
# => [:a, :d, :e]
p proc { _2; binding.implicit_parameters }.call(1, 2), proc { it; binding.implicit_parameter_get(:it) }.call(5) # => [:_1, :_2]
# => 5
p proc { _1; binding.local_variables - TOPLEVEL_BINDING.local_variables }.call(1) # => []
main_local = 7
p TOPLEVEL_BINDING.local_variable_get(:main_local) # => 7
marked = proc { |*list| list }.ruby2_keywords
def keywords(*list, **named) = [list, named]
p keywords(*marked.call(1, a: 2)) # => [[1], {a: 2}]
p A1.singleton_class.singleton_class.superclass, A1.singleton_class.is_a?(Class.singleton_class) # => #<Class:#<Class:Object>>
# => true
# parallel: no, TOPLEVEL_BINDING is that of the main script
