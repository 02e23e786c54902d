# Attributes that objects have not yet when they are written: the same call site adds them to some and changes those of others.
class Node
  attr_accessor :value, :before, :after

  def initialize(value) = @value = value
end

class Other
  attr_reader :log

  def before=(node)
    (@log ||= []) << node
  end
end

def link(node, other)
  node.before = other
  node.after = other
end

nodes = Array.new(1500) { |i| Node.new(i) }
nodes.each { |node| link(node, node) }
nodes.each_cons(2) { |a, b| link(b, a) }
p nodes.last.before.value, nodes.last.after.value # => 1498
# => 1498
p nodes.map(&:instance_variables).uniq # => [[:@value, :@before, :@after]]

# Other orders, more variables than there is room for, frozen and other objects at the same site.
late = Array.new(100) { |i| Node.new(i).tap { |node| node.after = i } }
late.each { |node| link(node, nil) }
p late.map(&:instance_variables).uniq # => [[:@value, :@after, :@before]]
wide = Array.new(50) { |i| Node.new(i).tap { |node| 40.times { |n| node.instance_variable_set("@v#{n}", n) } } }
wide.each { |node| link(node, node.value) }
p wide.all? { |node| node.before == node.value && node.after == node.value && node.instance_variable_get(:@v39) == 39 } # => true
begin
  link(Node.new(1).freeze, 1)
rescue FrozenError => e
  puts e.message[/\Acan't modify frozen Node/] # => can't modify frozen Node
end
other = Other.new
link(other, 5) rescue p $!.class # => NoMethodError
p other.log # => [5]

# Several threads, each with objects of its own and with those of others.
shared = Array.new(400) { |i| Node.new(i) }
threads = Array.new(4) do |n|
  Thread.new do
    own = Array.new(300) { |i| Node.new(i).tap { |node| link(node, n) } }
    shared.each { |node| link(node, n) }
    own.all? { |node| node.before == n && node.after == n }
  end
end
p threads.map(&:value) # => [true, true, true, true]
p shared.all? { |node| (0..3).cover?(node.before) && (0..3).cover?(node.after) && node.value } # => true
