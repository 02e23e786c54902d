# Identity, equality, class questions, sending.
o = Object.new
p o == o, o.equal?(o.dup), o != o, !o, o === o, o.eql?(o), o <=> o, o <=> 1
p o.is_a?(Kernel), o.kind_of?(Comparable), o.instance_of?(BasicObject), 1.is_a?(Integer)
begin
  o.is_a?(1)
rescue TypeError => e
  puts e.message
end
p 1.object_id, nil.object_id, true.object_id, false.object_id, o.object_id == o.object_id
p o.hash == o.hash, o.hash.class
p o.send(:itself).equal?(o), o.public_send(:nil?), o.__send__(:class)
begin
  o.public_send(:puts, 1)
rescue NoMethodError => e
  p e.name, e.receiver.equal?(o)
end
begin
  o.send
rescue ArgumentError => e
  puts e.message
end
begin
  o.send(1)
rescue TypeError => e
  puts e.message
end
class Quiet
  def method_missing(name, *args, **opts, &block) = name.end_with?("?") ? [name, args, opts, block&.call] : super
  def respond_to_missing?(name, all = false) = name.end_with?("?") || super
end
q = Quiet.new
p q.ok?(1, k: 2) { 3 }, q.respond_to?(:yes?), q.respond_to?(:no), q.method(:late?).call(4)
begin
  q.other
rescue NoMethodError => e
  p e.name, e.args
end
class Shown
  def initialize = (@a = 1; @b = "two"; @me = self)
end
puts Shown.new.inspect.gsub(/0x\h+/, "0x")
puts Object.new.inspect.sub(/0x\h{16}/, "0x")
p o.instance_variables, o.instance_variable_set(:@x, 1), o.instance_variable_get(:@x), o.instance_variables
p o.remove_instance_variable(:@x), o.instance_variable_defined?(:@x)
%w[x @ @1 @@a].each do |bad|
  o.instance_variable_get(bad)
rescue NameError => e
  puts e.class
end
p o.singleton_methods, o.define_singleton_method(:hi) { :hi }, o.hi, o.singleton_methods
p nil.to_a, nil.to_s, nil.to_h, nil.to_i, nil & 1, nil | 1, true & 3, true ^ true, false | nil, nil.inspect
p true.to_s, true.to_s.frozen?, nil.to_s.frozen?
p [1, 2].then { |a| a.sum }, 5.tap { |x| x + 1 }, 5.itself
p NilClass.respond_to?(:new), true.singleton_class

# => true
# => false
# => false
# => false
# => true
# => true
# => 0
# => nil
# => true
# => false
# => false
# => true
# => class or module required
# => 3
# => 8
# => 20
# => 0
# => true
# => true
# => Integer
# => true
# => false
# => Object
# => :puts
# => true
# => no method name given
# => 1 is not a symbol nor a string
# => [:ok?, [1], {k: 2}, 3]
# => true
# => false
# => [:late?, [4], {}, nil]
# => :other
# => []
# => #<Shown:0x @a=1, @b="two", @me=#<Shown:0x ...>>
# => #<Object:0x>
# => []
# => 1
# => 1
# => [:@x]
# => 1
# => false
# => NameError
# => NameError
# => NameError
# => NameError
# => []
# => :hi
# => :hi
# => [:hi]
# => []
# => ""
# => {}
# => 0
# => false
# => true
# => true
# => false
# => false
# => "nil"
# => "true"
# => true
# => true
# => 3
# => 5
# => 5
# => false
# => TrueClass
