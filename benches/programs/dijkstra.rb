# Shortest paths with a binary heap: a grid with weights, a random graph, A* and a comparison with a plain search.
class Heap
  def initialize
    @keys = []
    @items = []
  end

  def empty? = @keys.empty?
  def size = @keys.size

  def push(key, item)
    keys = @keys
    items = @items
    i = keys.size
    keys << key
    items << item
    while i > 0
      up = (i - 1) >> 1
      break if keys[up] <= key
      keys[i] = keys[up]
      items[i] = items[up]
      i = up
    end
    keys[i] = key
    items[i] = item
  end

  def pop
    keys = @keys
    items = @items
    top = items[0]
    key = keys.pop
    item = items.pop
    n = keys.size
    return top if n.zero?
    i = 0
    while (down = 2 * i + 1) < n
      down += 1 if down + 1 < n && keys[down + 1] < keys[down]
      break if keys[down] >= key
      keys[i] = keys[down]
      items[i] = items[down]
      i = down
    end
    keys[i] = key
    items[i] = item
    top
  end
end

class Graph
  Edge = Struct.new(:to, :weight)

  attr_reader :edges

  def initialize(n)
    @edges = Array.new(n) { [] }
  end

  def connect(a, b, weight)
    @edges[a] << Edge.new(b, weight)
    @edges[b] << Edge.new(a, weight)
  end

  def distances(from)
    best = Array.new(@edges.size, Float::INFINITY)
    best[from] = 0
    heap = Heap.new
    heap.push(0, from)
    done = Array.new(@edges.size, false)
    until heap.empty?
      node = heap.pop
      next if done[node]
      done[node] = true
      @edges[node].each do |edge|
        cost = best[node] + edge.weight
        if cost < best[edge.to]
          best[edge.to] = cost
          heap.push(cost, edge.to)
        end
      end
    end
    best
  end

  def relaxed(from, rounds)
    best = Array.new(@edges.size, Float::INFINITY)
    best[from] = 0
    rounds.times do
      changed = false
      @edges.each_with_index do |list, node|
        next if best[node] == Float::INFINITY
        list.each do |edge|
          cost = best[node] + edge.weight
          next unless cost < best[edge.to]
          best[edge.to] = cost
          changed = true
        end
      end
      break unless changed
    end
    best
  end
end

def grid_path(width, height, weights)
  start = 0
  goal = width * height - 1
  cost = { start => 0 }
  from = {}
  heap = Heap.new
  heap.push(0, start)
  seen = 0
  until heap.empty?
    at = heap.pop
    seen += 1
    break if at == goal
    x = at % width
    y = at / width
    [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]].each do |nx, ny|
      next if nx < 0 || ny < 0 || nx >= width || ny >= height
      near = ny * width + nx
      total = cost[at] + weights[near]
      next if cost.key?(near) && cost[near] <= total
      cost[near] = total
      from[near] = at
      heap.push(total + (width - 1 - nx) + (height - 1 - ny), near)
    end
  end
  path = [goal]
  path << from[path.last] while path.last != start
  [cost[goal], path.size, seen]
end

seed = 2024
rand_int = lambda do |n|
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
  (seed >> 8) % n
end

graph = Graph.new(6000)
5999.times { |i| graph.connect(i, i + 1, 50 + rand_int.(50)) }
18_000.times { graph.connect(rand_int.(6000), rand_int.(6000), 1 + rand_int.(100)) }
8.times do |i|
  distances = graph.distances(i * 700)
  puts "#{distances.max} #{distances.sum} #{distances.index(distances.max)}"
end
puts graph.distances(0) == graph.relaxed(0, 500)

weights = Array.new(150 * 150) { 1 + rand_int.(9) }
puts grid_path(150, 150, weights).inspect
puts grid_path(75, 300, weights).inspect

heap = Heap.new
90_000.times { |i| v = rand_int.(1_000_000); heap.push(v, v) }
order = Array.new(heap.size) { heap.pop }
puts order == order.sort, order[25_000]
