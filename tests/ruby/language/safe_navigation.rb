# &. calls nothing on nil and evaluates no argument then.
p nil&.length, "abc"&.length
# => nil
# => 3
p nil&.foo(raise("not evaluated")) # => nil
p nil&.foo&.bar&.baz # => nil
text = "a-b"
p text&.split("-")&.map(&:upcase)&.first # => "A"
begin
  nil&.foo.bar
rescue NoMethodError => e
  p e.name # => :bar
end
p false&.to_s, 0&.zero?
# => "false"
# => true
Node = Struct.new(:name, :child)
tree = Node.new("root", Node.new("leaf"))
p tree.child&.child&.name, tree&.child&.name
# => nil
# => "leaf"
tree&.name = "changed"
p tree.name # => "changed"
none = nil
none&.name = raise("not evaluated")
p none # => nil
p tree.child&.child.nil?, nil&.nil?
# => true
# => nil
count = 0
receiver = -> { count += 1; nil }
receiver.call&.x
p count # => 1
p [1, nil, 3].map { |x| x&.succ } # => [2, nil, 4]
p tree&.then { |node| node.name } # => "changed"
p nil.to_a, nil.to_s, nil & true, nil.inspect
# => []
# => ""
# => false
# => "nil"
h = { a: { b: [10, 20] } }
p h.dig(:a, :b, 1), h.dig(:x, :y), h[:x]&.[](:y), h[:a]&.fetch(:b)
# => 20
# => nil
# => nil
# => [10, 20]
p tree&.child&.send(:name) # => "leaf"
def maybe(value) = value&.positive? ? "positive" : "not"
p maybe(1), maybe(-1), maybe(nil)
# => "positive"
# => "not"
# => "not"
block_ran = false
nil&.each { block_ran = true }
p block_ran # => false
p((nil&.length || "default"), !nil&.length)
# => "default"
# => true
