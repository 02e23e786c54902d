# Trees built top down and bottom up, with a long-lived tree and a long-lived array.
class TreeNode
  attr_accessor :left, :right

  def initialize(left = nil, right = nil)
    @left = left
    @right = right
    @tag = 0
  end

  def populate(depth)
    return if depth <= 0

    @left = TreeNode.new
    @right = TreeNode.new
    @left.populate(depth - 1)
    @right.populate(depth - 1)
  end

  def self.bottom_up(depth)
    return new if depth <= 0

    new(bottom_up(depth - 1), bottom_up(depth - 1))
  end

  def count
    1 + (@left ? @left.count : 0) + (@right ? @right.count : 0)
  end
end

def tree_size(depth)
  (1 << (depth + 1)) - 1
end

long_depth = (ARGV[0] || 17).to_i
array_size = 200_000
short_depths = (4..long_depth - 2).step(2)

TreeNode.bottom_up(long_depth + 1)
long_lived = TreeNode.new
long_lived.populate(long_depth)
array = Array.new(array_size) { |i| i.zero? ? 0.0 : 1.0 / i }

short_depths.each do |depth|
  iterations = 2 * tree_size(long_depth) / tree_size(depth)
  nodes = 0
  iterations.times do
    root = TreeNode.new
    root.populate(depth)
    nodes += 1 if root.left
  end
  iterations.times { nodes += 1 if TreeNode.bottom_up(depth).right || depth.zero? }
  puts "#{iterations} trees of depth #{depth}, twice: #{nodes}"
end

puts "long-lived nodes: #{long_lived.count}"
puts "long-lived array: #{array.size} #{array[1000] == 1.0 / 1000}"
