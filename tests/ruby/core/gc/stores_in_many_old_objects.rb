# More old objects get references between two minor collections than one thread goes through: the markers share them.

Node = Struct.new(:value, :list, :table)
nodes = Array.new(GC.stress ? 60 : 20_000) { |i| Node.new(i, [], {}) }
GC.start

4.times do |round|
  threads = Array.new(3) do |number|
    Thread.new do
      number.step(nodes.size - 1, 3) do |i|
        node = nodes[i]
        node.value = "value #{round} #{i}"
        node.list << "entry #{round} #{i}"
        node.table[round] = "pair #{round} #{i}"
      end
    end
  end
  threads.each(&:join)
  GC.start(full_mark: false)
  # What was dead is used anew.
  Array.new(GC.stress ? 10 : 50_000) { |i| "other #{i}" }
end

GC.verify_internal_consistency
wrong = nodes.each_with_index.reject do |node, i|
  node.value == "value 3 #{i}" &&
    node.list == (0..3).map { |round| "entry #{round} #{i}" } &&
    node.table == (0..3).to_h { |round| [round, "pair #{round} #{i}"] }
end
p wrong.size # => 0
