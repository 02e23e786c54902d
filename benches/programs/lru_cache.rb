# Caches that forget what was not used for longest: a linked list with a Hash, and a Hash that keeps order.
class LinkedCache
  class Node
    attr_accessor :key, :value, :before, :after

    def initialize(key, value)
      @key = key
      @value = value
    end
  end

  attr_reader :hits, :misses, :evicted

  def initialize(capacity)
    @capacity = capacity
    @table = {}
    @head = Node.new(nil, nil)
    @tail = Node.new(nil, nil)
    @head.after = @tail
    @tail.before = @head
    @hits = @misses = @evicted = 0
  end

  def get(key)
    node = @table[key]
    if node.nil?
      @misses += 1
      return nil
    end
    @hits += 1
    unlink(node)
    to_front(node)
    node.value
  end

  def put(key, value)
    if (node = @table[key])
      node.value = value
      unlink(node)
    else
      evict if @table.size >= @capacity
      node = @table[key] = Node.new(key, value)
    end
    to_front(node)
  end

  def each
    node = @head.after
    until node.equal?(@tail)
      yield node.key, node.value
      node = node.after
    end
  end

  private

  def evict
    last = @tail.before
    unlink(last)
    @table.delete(last.key)
    @evicted += 1
  end

  def unlink(node)
    node.before.after = node.after
    node.after.before = node.before
  end

  def to_front(node)
    node.after = @head.after
    node.before = @head
    @head.after.before = node
    @head.after = node
  end
end

class OrderedCache
  attr_reader :hits, :misses, :evicted

  def initialize(capacity)
    @capacity = capacity
    @table = {}
    @hits = @misses = @evicted = 0
  end

  def get(key)
    found = true
    value = @table.delete(key) { found = false }
    if found
      @hits += 1
      @table[key] = value
    else
      @misses += 1
      nil
    end
  end

  def put(key, value)
    @table.delete(key)
    @table[key] = value
    return unless @table.size > @capacity
    @table.shift
    @evicted += 1
  end

  def each
    @table.keys.reverse_each { |key| yield key, @table[key] }
  end
end

def drive(cache, rounds)
  seed = 12_345
  sum = 0
  rounds.times do |i|
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    # Some keys are asked for far more often than others.
    key = (seed >> 8) % (i.even? ? 300 : 3000)
    value = cache.get(key)
    if value.nil?
      cache.put(key, key * 2 + i % 7)
    else
      sum += value
    end
  end
  recent = []
  cache.each { |key, value| recent << [key, value] }
  [sum, cache.hits, cache.misses, cache.evicted, recent.first(6), recent.size]
end

a = drive(LinkedCache.new(700), 600_000)
b = drive(OrderedCache.new(700), 600_000)
p a
p b
puts a == b
text = LinkedCache.new(50)
"the quick brown fox jumps over the lazy dog and runs away from the other foxes".split.cycle(900) do |word|
  text.get(word) || text.put(word, word.reverse.upcase)
end
text.each { |k, v| print k, "=", v, " " }
puts
