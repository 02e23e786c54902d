# Dynamic programming: knapsack, longest common subsequence, matrix chains, coins, partitions, memoised recursion.
def knapsack(weights, values, capacity)
  best = Array.new(capacity + 1, 0)
  keep = Array.new(weights.size) { Array.new(capacity + 1, false) }
  weights.each_with_index do |w, i|
    v = values[i]
    row = keep[i]
    capacity.downto(w) do |c|
      with = best[c - w] + v
      if with > best[c]
        best[c] = with
        row[c] = true
      end
    end
  end
  chosen = []
  c = capacity
  (weights.size - 1).downto(0) do |i|
    next unless keep[i][c]
    chosen << i
    c -= weights[i]
  end
  [best[capacity], chosen.reverse]
end

def common(a, b)
  rows = Array.new(a.size + 1) { Array.new(b.size + 1, 0) }
  a.each_with_index do |x, i|
    row = rows[i]
    down = rows[i + 1]
    b.each_with_index do |y, j|
      down[j + 1] = if x == y then row[j] + 1
                    elsif row[j + 1] >= down[j] then row[j + 1]
                    else down[j]
                    end
    end
  end
  out = []
  i = a.size
  j = b.size
  while i > 0 && j > 0
    if a[i - 1] == b[j - 1]
      out << a[i - 1]
      i -= 1
      j -= 1
    elsif rows[i - 1][j] >= rows[i][j - 1] then i -= 1
    else j -= 1
    end
  end
  out.reverse
end

def chain(sizes)
  n = sizes.size - 1
  cost = Array.new(n) { Array.new(n, 0) }
  split = Array.new(n) { Array.new(n, 0) }
  2.upto(n) do |length|
    0.upto(n - length) do |i|
      j = i + length - 1
      cost[i][j] = Float::INFINITY
      i.upto(j - 1) do |k|
        c = cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
        if c < cost[i][j]
          cost[i][j] = c
          split[i][j] = k
        end
      end
    end
  end
  show = ->(i, j) { i == j ? "A" : "(#{show.(i, split[i][j])}#{show.(split[i][j] + 1, j)})" }
  [cost[0][n - 1], show.(0, n - 1)]
end

def coins(amount, kinds)
  ways = Array.new(amount + 1, 0)
  ways[0] = 1
  fewest = Array.new(amount + 1, Float::INFINITY)
  fewest[0] = 0
  kinds.each do |kind|
    kind.upto(amount) do |a|
      ways[a] += ways[a - kind]
      fewest[a] = fewest[a - kind] + 1 if fewest[a - kind] + 1 < fewest[a]
    end
  end
  [ways[amount], fewest[amount]]
end

PARTITIONS = Hash.new do |h, (n, k)|
  h[[n, k]] = if n.zero? then 1
              elsif n < 0 || k.zero? then 0
              else h[[n, k - 1]] + h[[n - k, k]]
              end
end

def increasing(list)
  tails = []
  list.each do |x|
    i = tails.bsearch_index { |t| t >= x } || tails.size
    tails[i] = x
  end
  tails.size
end

seed = 77
draw = lambda do |n|
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
  (seed >> 8) % n
end

weights = Array.new(110) { 5 + draw.(60) }
values = Array.new(110) { 10 + draw.(90) }
best, chosen = knapsack(weights, values, 2500)
puts best, chosen.size, chosen.first(12).inspect, chosen.sum { |i| weights[i] }

a = Array.new(1400) { draw.(26) }
b = Array.new(1400) { draw.(26) }
lcs = common(a, b)
puts lcs.size, lcs.first(30).map { |n| (97 + n).chr }.join

cost, shape = chain(Array.new(131) { 5 + draw.(45) })
puts cost, shape.size, shape[0, 40]
puts coins(20_000, [1, 2, 5, 10, 20, 50, 100, 200]).inspect
puts PARTITIONS[[110, 110]]
puts increasing(Array.new(120_000) { draw.(1_000_000) })
grid = Array.new(260) { Array.new(260) { draw.(9) } }
sums = grid.map(&:dup)
260.times do |y|
  260.times do |x|
    next if x.zero? && y.zero?
    up = y > 0 ? sums[y - 1][x] : Float::INFINITY
    left = x > 0 ? sums[y][x - 1] : Float::INFINITY
    sums[y][x] += up < left ? up : left
  end
end
puts sums.last.last
