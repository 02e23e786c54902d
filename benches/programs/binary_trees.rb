# Allocation and collection of many short-lived trees beside one long-lived.
Node = Struct.new(:left, :right)

def build(depth)
  depth.zero? ? Node.new(nil, nil) : Node.new(build(depth - 1), build(depth - 1))
end

def check(node)
  left = node.left
  left ? 1 + check(left) + check(node.right) : 1
end

max_depth = (ARGV[0] || 14).to_i
min_depth = 4
stretch = max_depth + 1
puts "stretch tree of depth #{stretch}\t check: #{check(build(stretch))}"

long_lived = build(max_depth)

min_depth.step(max_depth, 2) do |depth|
  iterations = 1 << (max_depth - depth + min_depth)
  total = 0
  iterations.times { total += check(build(depth)) }
  puts "#{iterations}\t trees of depth #{depth}\t check: #{total}"
end

puts "long lived tree of depth #{max_depth}\t check: #{check(long_lived)}"
