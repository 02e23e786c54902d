# Hash updates with integer, string, symbol and array keys; deletes, merges and walks.
n = (ARGV[0] || 450_000).to_i

squares = {}
n.times { |i| squares[i] = i * i }
n.times { |i| squares[i] += 1 if i % 3 == 0 }
puts "integers: #{squares.size} #{squares.values.sum}"

counts = Hash.new(0)
seed = 17
(n * 2).times do
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
  counts["key#{seed % 5000}"] += 1
end
top = counts.max_by { |key, count| [count, key] }
puts "strings: #{counts.size} #{top[0]} #{top[1]}"

groups = Hash.new { |hash, key| hash[key] = [] }
n.times { |i| groups[%i[red green blue cyan][i % 4]] << i }
puts "symbols: #{groups.map { |key, list| "#{key}=#{list.size}" }.join(' ')}"

grid = {}
side = Math.sqrt(n / 4).to_i
side.times { |x| side.times { |y| grid[[x, y]] = x ^ y } }
neighbours = 0
grid.each_key { |(x, y)| neighbours += 1 if grid.key?([x + 1, y]) && grid[[x, y + 1]] }
puts "pairs: #{grid.size} #{neighbours}"

removed = 0
n.times { |i| removed += 1 if i.odd? && squares.delete(i) }
squares.reject! { |key, _| key % 4 == 0 }
puts "deleted: #{removed} left #{squares.size} first #{squares.first.inspect}"

merged = squares.merge(squares.transform_values { |value| value + 1 }) { |_, old, new| new - old }
puts "merged: #{merged.size} #{merged.values.uniq.inspect}"
inverted = counts.each_with_object({}) { |(key, count), all| (all[count] ||= []) << key }
puts "inverted: #{inverted.size} #{inverted.keys.minmax.inspect}"

window = {}
n.times do |i|
  window[i] = true
  window.shift if window.size > 100
end
puts "window: #{window.size} #{window.keys.first}"
