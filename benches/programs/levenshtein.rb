# Edit distances: the whole table, two rows, and the nearest words of a list.
def words(n, seed)
  Array.new(n) do
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    length = 4 + (seed >> 16) % 8
    Array.new(length) do
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      "etaoinshrdlu"[(seed >> 16) % 12]
    end.join
  end
end

def distance(a, b)
  return b.size if a.empty?
  return a.size if b.empty?
  previous = (0..b.size).to_a
  bs = b.bytes
  a.each_byte.with_index(1) do |x, i|
    row = [i]
    bs.each_with_index do |y, j|
      cost = x == y ? previous[j] : previous[j] + 1
      cost = previous[j + 1] + 1 if previous[j + 1] + 1 < cost
      cost = row[j] + 1 if row[j] + 1 < cost
      row << cost
    end
    previous = row
  end
  previous.last
end

# The table, and the way back through it: the operations of one shortest edit.
def edits(a, b)
  table = Array.new(a.size + 1) { |i| Array.new(b.size + 1) { |j| i.zero? ? j : (j.zero? ? i : 0) } }
  1.upto(a.size) do |i|
    1.upto(b.size) do |j|
      same = a[i - 1] == b[j - 1] ? 0 : 1
      table[i][j] = [table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + same].min
    end
  end
  i = a.size
  j = b.size
  script = []
  while i > 0 || j > 0
    if i > 0 && j > 0 && table[i][j] == table[i - 1][j - 1] && a[i - 1] == b[j - 1]
      i -= 1
      j -= 1
    elsif i > 0 && j > 0 && table[i][j] == table[i - 1][j - 1] + 1
      i -= 1
      j -= 1
      script << "#{a[i]}>#{b[j]}"
    elsif i > 0 && table[i][j] == table[i - 1][j] + 1
      i -= 1
      script << "-#{a[i]}"
    else
      j -= 1
      script << "+#{b[j]}"
    end
  end
  script.reverse
end

dictionary = words(520, 42)
asked = words(90, 7)
asked.each_with_index do |word, i|
  best = dictionary.min_by { |other| [distance(word, other), other] }
  puts "#{word} #{best} #{distance(word, best)} #{edits(word, best).join(",")}" if i < 15
end
text = dictionary.first(26).join
other = dictionary.drop(26).first(26).join
puts distance(text, other)
puts edits(text, other).size
puts %w[kitten sitting flaw lawn saturday sunday].each_slice(2).map { |a, b| distance(a, b) }.inspect
