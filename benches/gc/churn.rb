# Half a gigabyte alive, in a table of records of which some are replaced, and work on top that makes garbage.
# ARGV: megabytes alive, rounds.

ALIVE = (ARGV[0] || 500).to_i
ROUNDS = (ARGV[1] || 50_000).to_i

class Item
  attr_accessor :id, :name, :tags, :score, :parent

  def initialize(id)
    @id = id
    @name = "item number #{id}"
    @tags = [id, id + 1, id * 2]
    @score = id * 0.5
  end
end

# An item is about 250 bytes with what it refers to.
COUNT = ALIVE * 1_000_000 / 250
shelves = Array.new(COUNT / 100) { |shelf| Array.new(100) { |i| Item.new(shelf * 100 + i) } }
index = {}
shelves.each { |shelf| shelf.each { |item| index[item.id] = item if item.id % 20 == 0 } }

seed = 42
rounds = 0
replaced = 0
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
while rounds < ROUNDS
  200.times do
    # What most work is: objects that die at once.
    words = Array.new(50) { |i| "word #{rounds + i}" }
    counts = words.group_by(&:size).transform_values(&:size)
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff
    shelf = shelves[seed % shelves.size]
    item = Item.new(seed % COUNT)
    item.parent = shelf[0]
    shelf[1 + seed % 99] = item
    index[item.id] = item if index.key?(item.id)
    replaced += counts.size > 0 ? 1 : 0
    rounds += 1
  end
end
puts "#{shelves.size} shelves, #{replaced == rounds ? 'all replaced' : 'none'}"
warn "rounds a second  #{(rounds / (Process.clock_gettime(Process::CLOCK_MONOTONIC) - started)).round}"
