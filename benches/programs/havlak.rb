# Loop recognition after Havlak: builds control flow graphs of nested loops and finds the loops again.
class BasicBlock
  attr_reader :name, :in_edges, :out_edges

  def initialize(name)
    @name = name
    @in_edges = []
    @out_edges = []
  end
end

class FlowGraph
  attr_reader :blocks
  attr_accessor :start

  def initialize
    @blocks = []
    @start = nil
  end

  def block(name)
    @blocks[name] ||= BasicBlock.new(name)
    @start ||= @blocks[name]
    @blocks[name]
  end

  def edge(from, to)
    a = block(from)
    b = block(to)
    a.out_edges << b
    b.in_edges << a
  end

  def size = @blocks.size
end

class LoopNode
  attr_reader :blocks, :children, :parent, :counter
  attr_accessor :header, :reducible, :depth, :nesting

  def initialize(counter)
    @counter = counter
    @blocks = []
    @children = []
    @parent = nil
    @header = nil
    @reducible = true
    @depth = 0
    @nesting = 0
  end

  def parent=(other)
    @parent = other
    other.children << self
  end
end

class LoopForest
  attr_reader :loops, :root

  def initialize
    @loops = []
    @counter = 0
    @root = create
    @root.nesting = 0
  end

  def create
    made = LoopNode.new(@counter)
    @counter += 1
    @loops << made
    made
  end

  def calculate
    @loops.each { |l| l.parent = @root if l.parent.nil? && !l.equal?(@root) }
    nest(@root, 0)
  end

  def nest(node, depth)
    node.depth = depth
    node.children.each do |child|
      nest(child, depth + 1)
      node.nesting = child.nesting + 1 if child.nesting + 1 > node.nesting
    end
  end
end

# A set of nodes with path compression.
class UnionNode
  attr_accessor :parent, :block, :loop, :number

  def setup(block, number)
    @parent = self
    @block = block
    @number = number
    @loop = nil
  end

  def find
    node = self
    trail = nil
    until node.equal?(node.parent)
      (trail ||= []) << node unless node.parent.equal?(node.parent.parent)
      node = node.parent
    end
    trail&.each { |n| n.parent = node.parent }
    node
  end
end

class LoopFinder
  UNVISITED = -1

  def initialize(graph, forest)
    @graph = graph
    @forest = forest
  end

  def ancestor?(w, v) = w <= v && v <= @last[w]

  def search(block, current)
    # Depth first with a stack of its own: graphs are deep.
    stack = [[block, 0]]
    @nodes[current].setup(block, current)
    @number[block.name] = current
    until stack.empty?
      top = stack.last
      node = top[0]
      if top[1] < node.out_edges.size
        target = node.out_edges[top[1]]
        top[1] += 1
        if @number[target.name] == UNVISITED
          current += 1
          @nodes[current].setup(target, current)
          @number[target.name] = current
          stack << [target, 0]
        end
      else
        @last[@number[node.name]] = current
        stack.pop
      end
    end
    current
  end

  def run
    return 0 if @graph.start.nil?
    n = @graph.size
    @number = Array.new(n, UNVISITED)
    @last = Array.new(n, 0)
    @nodes = Array.new(n) { UnionNode.new }
    kind = Array.new(n, :plain)
    header = Array.new(n, 0)
    back = Array.new(n) { [] }
    other = Array.new(n) { [] }

    search(@graph.start, 0)
    n.times do |w|
      block = @nodes[w].block
      if block.nil?
        kind[w] = :dead
        next
      end
      block.in_edges.each do |before|
        v = @number[before.name]
        next if v == UNVISITED
        (ancestor?(w, v) ? back[w] : other[w]) << v
      end
    end
    header[0] = 0

    (n - 1).downto(0) do |w|
      pool = []
      block = @nodes[w].block
      next if block.nil?
      back[w].each { |v| v == w ? kind[w] = :self : pool << @nodes[v].find }
      work = pool.dup
      kind[w] = :reducible unless pool.empty?
      until work.empty?
        x = work.shift
        other[x.number].each do |y|
          ydash = @nodes[y].find
          if !ancestor?(w, ydash.number)
            kind[w] = :irreducible
            other[w] << ydash.number
          elsif ydash.number != w && !pool.include?(ydash)
            work << ydash
            pool << ydash
          end
        end
      end
      next unless !pool.empty? || kind[w] == :self
      found = @forest.create
      found.header = block
      found.reducible = kind[w] != :irreducible
      @nodes[w].loop = found
      pool.each do |node|
        header[node.number] = w
        node.parent = @nodes[w]
        if node.loop
          node.loop.parent = found
        else
          found.blocks << node.block
        end
      end
    end
    @forest.loops.size
  end
end

class Builder
  def initialize(graph)
    @graph = graph
  end

  def straight(from, n)
    n.times { |i| @graph.edge(from + i, from + i + 1) }
    from + n
  end

  def diamond(from)
    @graph.edge(from, from + 1)
    @graph.edge(from, from + 2)
    @graph.edge(from + 1, from + 3)
    @graph.edge(from + 2, from + 3)
    from + 3
  end

  def base_loop(from)
    head = straight(from, 1)
    left = diamond(head)
    foot = straight(left, 1)
    2.times { |i| @graph.edge(foot - i, head) }
    straight(foot, 1)
  end
end

def make_graph(outer, middle, inner)
  graph = FlowGraph.new
  builder = Builder.new(graph)
  at = 2
  graph.block(0)
  graph.edge(0, 1)
  graph.edge(1, 2)
  outer.times do
    top = at
    at = builder.straight(at, 1)
    middle.times do
      second = at
      at = builder.straight(at, 1)
      inner.times { at = builder.base_loop(at) }
      bottom = builder.straight(at, 1)
      graph.edge(bottom, second)
      at = bottom
    end
    bottom = builder.straight(at, 1)
    graph.edge(bottom, top)
    at = builder.straight(bottom, 1)
  end
  graph
end

36.times do |round|
  graph = make_graph(5 + round, 10, 4)
  forest = LoopForest.new
  LoopFinder.new(graph, forest).run
  forest.calculate
  reducible = forest.loops.count(&:reducible)
  deepest = forest.loops.map(&:depth).max
  puts "#{graph.size} blocks, #{forest.loops.size} loops, #{reducible} reducible, depth #{deepest}, nesting #{forest.root.nesting}"
end
