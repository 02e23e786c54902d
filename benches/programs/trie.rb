# A trie with completion, wildcards and deletion; word squares and boggle by search through it.
class Trie
  class Node
    attr_reader :next
    attr_accessor :count, :word

    def initialize
      @next = {}
      @count = 0
      @word = nil
    end
  end

  attr_reader :root, :size

  def initialize
    @root = Node.new
    @size = 0
  end

  def add(word)
    return if include?(word)
    node = @root
    word.each_char do |char|
      node = (node.next[char] ||= Node.new)
      node.count += 1
    end
    node.word = word
    @size += 1
  end

  def find(prefix)
    node = @root
    prefix.each_char { |char| node = node.next[char] or return nil }
    node
  end

  def include?(word) = !find(word)&.word.nil?

  def delete(word)
    return false unless include?(word)
    node = @root
    word.each_char do |char|
      child = node.next[char]
      child.count -= 1
      node.next.delete(char) if child.count.zero?
      node = child
    end
    node.word = nil
    @size -= 1
    true
  end

  def each(node = @root, &block)
    yield node.word if node.word
    node.next.keys.sort.each { |char| each(node.next[char], &block) }
  end

  def complete(prefix, limit)
    found = []
    node = find(prefix)
    return found if node.nil?
    each(node) do |word|
      found << word
      break if found.size == limit
    end
    found
  end

  def match(pattern, node = @root, at = 0, &block)
    if at == pattern.size
      yield node.word if node.word
      return
    end
    char = pattern[at]
    if char == "?"
      node.next.each_value { |child| match(pattern, child, at + 1, &block) }
    elsif (child = node.next[char])
      match(pattern, child, at + 1, &block)
    end
  end
end

def make_words(n)
  seed = 11
  starts = %w[b c d f g l m n p r s t st tr pl ch]
  middles = %w[a e i o u ea ou]
  ends = %w[t n d r s ck ll ng rt st]
  words = {}
  while words.size < n
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    r = seed >> 8
    word = starts[r % 16] + middles[(r >> 4) % 7] + ends[(r >> 7) % 10]
    word += middles[(r >> 10) % 7] + ends[(r >> 13) % 10] if (r >> 16).odd?
    words[word] = true
  end
  words.keys
end

def boggle(trie, grid)
  found = {}
  size = grid.size
  walk = lambda do |x, y, node, used|
    child = node.next[grid[y][x]]
    return if child.nil?
    found[child.word] = true if child.word
    used |= 1 << (y * size + x)
    (-1..1).each do |dy|
      (-1..1).each do |dx|
        nx = x + dx
        ny = y + dy
        next if nx < 0 || ny < 0 || nx >= size || ny >= size || used[ny * size + nx] == 1
        walk.(nx, ny, child, used)
      end
    end
  end
  size.times { |y| size.times { |x| walk.(x, y, trie.root, 0) } }
  found.keys.sort
end

def squares(trie, words, size, rows, out)
  if rows.size == size
    out << rows.dup
    return
  end
  prefix = rows.map { |row| row[rows.size] }.join
  node = trie.find(prefix)
  return if node.nil?
  trie.each(node) do |word|
    next unless word.size == size
    squares(trie, words, size, rows + [word], out)
    return if out.size >= 40
  end
end

words = make_words(11_000)
trie = Trie.new
words.each { |word| trie.add(word) }
puts trie.size, trie.complete("str", 5).inspect, trie.complete("boul", 5).inspect, trie.complete("zzz", 5).inspect
hits = 0
words.each { |word| hits += 1 if trie.include?(word) && !trie.include?("#{word}x") }
puts hits
matches = []
%w[st?n? b??t p?a?? ?e?? ch????].each { |pattern| trie.match(pattern) { |word| matches << word } }
puts matches.size, matches.sort.first(10).join(" ")

letters = "stearnoiltdcupmg"
total = 0
400.times do |i|
  shuffled = letters.chars.rotate(i).each_slice(2).to_a.transpose.flatten
  grid = shuffled.each_slice(4).map(&:join)
  found = boggle(trie, grid)
  total += found.size
  puts "#{grid.join("/")} #{found.size} #{found.last(4).join(" ")}" if i < 6
end
puts total

short = words.select { |w| w.size == 3 }
small = Trie.new
short.each { |w| small.add(w) }
out = []
squares(small, short, 3, [], out)
puts out.size, out.first(3).map { |s| s.join("/") }.join(" ")
words.each_with_index { |word, i| trie.delete(word) if i.odd? }
puts trie.size
order = []
trie.each { |word| order << word }
puts order.size, order == order.sort, order[1000]
