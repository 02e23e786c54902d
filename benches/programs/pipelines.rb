# Enumerable in long chains: sales of shops grouped, joined, ranked and summed up in many ways.
Sale = Struct.new(:day, :shop, :item, :amount, :price) do
  def total = amount * price
end

ITEMS = %w[apple bread cheese dates eggs flour grapes honey ink jam].freeze

def sales(n)
  seed = 31
  Array.new(n) do |i|
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    r = seed >> 8
    Sale.new(i % 365, r % 23, ITEMS[(r >> 5) % ITEMS.size], 1 + (r >> 9) % 12, 50 + (r >> 12) % 400)
  end
end

def report(list)
  lines = []
  by_shop = list.group_by(&:shop)
  totals = by_shop.transform_values { |sales| sales.sum(&:total) }
  lines << totals.sort_by { |shop, total| [-total, shop] }.first(3).map { |shop, total| "#{shop}:#{total}" }.join(" ")
  lines << list.map(&:item).tally.max_by(3) { |item, n| [n, item] }.map { |item, n| "#{item}=#{n}" }.join(" ")
  lines << list.each_slice(30).map { |month| month.sum(&:amount) }.each_cons(2).count { |a, b| b > a }
  big, small = list.partition { |sale| sale.total > 2000 }
  lines << "#{big.size} #{small.size} #{big.minmax_by { |s| [s.total, s.day, s.shop] }.map(&:total).inspect}"
  lines << list.chunk_while { |a, b| a.price <= b.price }.map(&:size).tally.sort.first(4).inspect
  lines << list.slice_when { |a, b| a.day > b.day }.map { |year| year.first.total }.first(5).inspect
  lines << list.each_with_object(Hash.new(0)) { |sale, h| h[sale.item[0]] += sale.amount }.sort.flatten.join(",")
  lines << list.each_with_index.select { |sale, i| sale.amount == 12 && i.even? }.map(&:last).sum
  lines << list.lazy.select { |s| s.shop.odd? }.map(&:total).reject { |t| t < 1000 }.first(6).inspect
  lines << list.zip(list.drop(1)).filter_map { |a, b| b && b.price - a.price if b && b.shop == a.shop }.sum
  lines << ITEMS.to_h { |item| [item.to_sym, list.find_index { |s| s.item == item }] }.values.inspect
  lines << list.flat_map { |s| [s.shop] * (s.amount / 4) }.uniq.sort.reverse.take_while { |s| s > 15 }.inspect
  lines << list.inject { |a, b| a.total >= b.total ? a : b }.to_a.inspect
  lines << list.min_by(2) { |s| [s.price, s.day, s.shop] }.map(&:to_a).inspect
  lines << list.reduce(0) { |acc, s| (acc * 31 + s.total) % 1_000_003 }
  lines << list.sum { |s| s.price.fdiv(s.amount) }.round(6)
  lines << list.sort_by { |s| [s.shop, -s.day, s.item] }.each_entry.first(2).map(&:to_a).inspect
  lines << list.map(&:price).each_cons(5).map { |w| w.sum / 5 }.minmax.inspect
  lines << (1..40).each_with_object([]) { |d, out| out << d if list[d].day.between?(d - 1, d + 1) }.size
  lines << list.group_by { |s| [s.day / 90, s.item] }.map { |k, v| [k, v.sum(&:amount)] }.max_by(2) { |k, n| [n, k] }.inspect
  lines
end

data = sales(3_000)
text = nil
24.times { |i| text = report(data.rotate(i * 17)) }
puts text
puts report(data).hash == report(data.dup).hash
words = data.map(&:item).each_slice(7).map { |slice| slice.join("-") }
puts words.sort.uniq.size, words.max_by { |w| [w.size, w] }
matrix = Array.new(60) { |i| Array.new(60) { |j| (i * j) % 17 } }
puts matrix.transpose.map(&:sum).inspect, matrix.each_with_index.sum { |row, i| row[i] }
puts matrix.flatten.each_slice(100).map(&:max).tally.sort.inspect, (1..9).to_a.combination(4).count { |c| c.sum == 20 }
puts (1..7).to_a.permutation.lazy.select { |p| p[0] < p[-1] }.map { |p| p.each_cons(2).sum { |a, b| (a - b).abs } }.max
puts [3, 1, 2].cycle.first(8).inspect, (1..4).each_entry.to_a.product([0, 1]).size, (1..3).zip(4..6, 7..9).inspect
