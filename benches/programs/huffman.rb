# Huffman codes and LZ77 with a sliding window, there and back again.
class Node
  attr_reader :weight, :symbol, :left, :right

  def initialize(weight, symbol = nil, left = nil, right = nil)
    @weight = weight
    @symbol = symbol
    @left = left
    @right = right
  end

  def leaf? = !@symbol.nil?
end

class Huffman
  attr_reader :codes

  def initialize(text)
    nodes = text.each_char.tally.sort_by { |char, n| [n, char] }.map { |char, n| Node.new(n, char) }
    # Two queues: leaves by weight and joined nodes, which are made in order of weight.
    joined = []
    until nodes.size + joined.size == 1
      a = lightest(nodes, joined)
      b = lightest(nodes, joined)
      joined << Node.new(a.weight + b.weight, nil, a, b)
    end
    @root = joined.first || nodes.first
    @codes = {}
    assign(@root, "")
  end

  def encode(text) = text.each_char.map { |char| @codes[char] }.join

  def decode(bits)
    out = String.new
    node = @root
    bits.each_char do |bit|
      node = bit == "0" ? node.left : node.right
      if node.leaf?
        out << node.symbol
        node = @root
      end
    end
    out
  end

  private

  def lightest(nodes, joined)
    return joined.shift if nodes.empty?
    return nodes.shift if joined.empty?
    nodes.first.weight <= joined.first.weight ? nodes.shift : joined.shift
  end

  def assign(node, code)
    if node.leaf?
      @codes[node.symbol] = code
    else
      assign(node.left, code + "0")
      assign(node.right, code + "1")
    end
  end
end

module Window
  module_function

  def compress(text)
    out = []
    places = Hash.new { |h, k| h[k] = [] }
    at = 0
    while at < text.size
      best = 0
      from = 0
      candidates = places[text[at, 3]]
      candidates.last(12).reverse_each do |place|
        break if at - place > 4000
        length = 0
        length += 1 while at + length < text.size && length < 60 && text[place + length] == text[at + length]
        if length > best
          best = length
          from = at - place
        end
      end
      step = best >= 3 ? best : 1
      out << (best >= 3 ? [from, best] : text[at])
      step.times { |i| places[text[at + i, 3]] << at + i }
      at += step
    end
    out
  end

  def expand(tokens)
    out = String.new
    tokens.each do |token|
      if token.is_a?(Array)
        from, length = token
        start = out.size - from
        length.times { |i| out << out[start + i] }
      else
        out << token
      end
    end
    out
  end
end

seed = 5
words = %w[the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which]
text = Array.new(26_000) do
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
  words[((seed >> 9) % words.size) * ((seed >> 17) % words.size) / words.size]
end.join(" ")

huffman = Huffman.new(text)
bits = huffman.encode(text)
puts text.size, bits.size, huffman.decode(bits) == text
huffman.codes.sort_by { |char, code| [code.size, char] }.first(8).each { |char, code| puts "#{char.inspect} #{code}" }
packed = [bits].pack("B*")
puts packed.bytesize, packed.unpack1("B*")[0, bits.size] == bits, packed.sum(32)

tokens = Window.compress(text)
puts tokens.size, tokens.count { |t| t.is_a?(Array) }, Window.expand(tokens) == text
puts tokens.grep(Array).max_by { |from, length| [length, from] }.inspect
runs = text.squeeze("e").gsub(/(.)\1+/) { "#{$1}#{$&.size}" }
puts runs.size, text.chars.chunk_while { |a, b| a <= b }.map(&:size).max
