# What the core library has for itself is in no list of methods; what programs define is, whatever it is called.

own = [Array, Hash, Range, Set, Enumerator, Enumerator::Lazy, IO, Dir, File::Stat, Process::Status, Symbol].flat_map do |c|
  c.instance_methods(false) + c.private_instance_methods(false) + c.singleton_class.private_instance_methods(false)
end
p own.grep(/\A__/) # => []
p [].methods.grep(/\A__/).sort # => [:__id__, :__send__]
p [].private_methods.grep(/\A__/).sort # => [:__callee__, :__dir__, :__method__]
p Process.methods.grep(/\A__/).sort # => [:__id__, :__send__]
class C
  def __mine = 1
  private def __secret = 2
  def self.__of_class = 3
end
p C.instance_methods(false), C.private_instance_methods(false), C.singleton_methods
# => [:__mine]
# => [:__secret]
# => [:__of_class]

# Module's functions of visibility are private.
p Module.private_instance_methods(false).grep(/\A(public|private|protected)\z/).sort # => [:private, :protected, :public]
begin
  C.private(:__mine)
rescue NoMethodError => e
  puts e.message
end
# => private method 'private' called for class C

# Who includes Process finds its functions with their arities.
include Process
p method(:getpgid).arity, method(:setpriority).arity, method(:pid).arity, method(:clock_gettime).arity
# => 1
# => 3
# => 0
# => -1
p getpgid(0) == Process.getpgid(0) # => true
p method(:getpriority).parameters # => [[:req], [:req]]
