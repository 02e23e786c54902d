# The game of life: on a torus of cells in an Array, and without borders as a Hash of living cells.
class Torus
  attr_reader :width, :height, :cells

  def initialize(width, height)
    @width = width
    @height = height
    @cells = Array.new(height) { Array.new(width, 0) }
  end

  def []=(x, y, state)
    @cells[y % @height][x % @width] = state
  end

  def step
    fresh = Array.new(@height) { Array.new(@width, 0) }
    y = 0
    while y < @height
      above = @cells[y - 1]
      row = @cells[y]
      below = @cells[(y + 1) % @height]
      out = fresh[y]
      x = 0
      while x < @width
        left = x - 1
        right = x + 1 == @width ? 0 : x + 1
        n = above[left] + above[x] + above[right] + row[left] + row[right] + below[left] + below[x] + below[right]
        out[x] = 1 if n == 3 || (n == 2 && row[x] == 1)
        x += 1
      end
      y += 1
    end
    @cells = fresh
  end

  def population = @cells.sum(&:sum)

  def to_s = @cells.map { |row| row.map { |c| c == 1 ? "#" : "." }.join }.join("\n")
end

class Plane
  attr_reader :alive

  def initialize(cells)
    @alive = {}
    cells.each { |cell| @alive[cell] = true }
  end

  NEAR = [-1, 0, 1].product([-1, 0, 1]).reject { |dx, dy| dx == 0 && dy == 0 }.freeze

  def step
    counts = Hash.new(0)
    @alive.each_key do |(x, y)|
      NEAR.each { |dx, dy| counts[[x + dx, y + dy]] += 1 }
    end
    fresh = {}
    counts.each { |cell, n| fresh[cell] = true if n == 3 || (n == 2 && @alive.key?(cell)) }
    @alive = fresh
  end

  def bounds
    xs = @alive.keys.map(&:first).minmax
    ys = @alive.keys.map(&:last).minmax
    [*xs, *ys]
  end
end

PENTOMINO = [[1, 0], [2, 0], [0, 1], [1, 1], [1, 2]].freeze
GLIDER = [[1, 0], [2, 1], [0, 2], [1, 2], [2, 2]].freeze

torus = Torus.new(64, 48)
PENTOMINO.each { |x, y| torus[x + 30, y + 20] = 1 }
GLIDER.each { |x, y| torus[x + 3, y + 3] = 1 }
420.times { torus.step }
puts torus
puts torus.population

plane = Plane.new(PENTOMINO)
430.times do |i|
  plane.step
  puts "#{i} #{plane.alive.size} #{plane.bounds.inspect}" if (i % 40).zero?
end
puts plane.alive.keys.sort.first(5).inspect
