# Tilings of a rectangle with the twelve pentominoes, by backtracking on bit masks.
SHAPES = {
  F: [".##", "##.", ".#."], I: ["#####"], L: ["#...", "####"], N: ["##..", ".###"],
  P: ["##", "##", "#."], T: ["###", ".#.", ".#."], U: ["#.#", "###"], V: ["#..", "#..", "###"],
  W: ["#..", "##.", ".##"], X: [".#.", "###", ".#."], Y: [".#..", "####"], Z: ["##.", ".#.", ".##"]
}.freeze

class Piece
  attr_reader :name, :placements

  def initialize(name, rows)
    @name = name
    cells = rows.each_with_index.flat_map do |row, y|
      row.each_char.with_index.select { |char, _| char == "#" }.map { |_, x| [x, y] }
    end
    @orientations = orientations(cells)
    @placements = Hash.new { |hash, key| hash[key] = [] }
  end

  # Every mask of this piece on the board, filed by its lowest cell.
  def place_on(width, height)
    @orientations.each do |cells|
      wide = cells.map(&:first).max
      high = cells.map(&:last).max
      (0...height - high).each do |top|
        (0...width - wide).each do |left|
          bits = cells.map { |x, y| (top + y) * width + left + x }
          @placements[bits.min] << bits.sum { |bit| 1 << bit }
        end
      end
    end
    self
  end

  private

  def orientations(cells)
    found = []
    2.times do
      4.times do
        cells = cells.map { |x, y| [-y, x] }
        found << normalize(cells)
      end
      cells = cells.map { |x, y| [-x, y] }
    end
    found.uniq
  end

  def normalize(cells)
    left, top = cells.transpose.map(&:min)
    cells.map { |x, y| [x - left, y - top] }.sort
  end
end

class Puzzle
  attr_reader :count, :tried, :first

  def initialize(width, height, limit)
    @width = width
    @height = height
    @limit = limit
    @full = (1 << (width * height)) - 1
    @pieces = SHAPES.map { |name, rows| Piece.new(name, rows).place_on(width, height) }
    @used = Array.new(@pieces.size, false)
    @path = []
    @count = 0
    @tried = 0
  end

  def solve(board = 0, cell = 0)
    if board == @full
      @count += 1
      @first ||= picture
      throw :enough if @count == @limit
      return
    end
    cell += 1 while board[cell] == 1

    @pieces.each_with_index do |piece, index|
      next if @used[index]

      piece.placements[cell].each do |mask|
        @tried += 1
        next unless (mask & board).zero?

        @used[index] = true
        @path.push([piece.name, mask])
        solve(board | mask, cell + 1)
        @path.pop
        @used[index] = false
      end
    end
  end

  private

  def picture
    cells = Array.new(@width * @height)
    @path.each { |name, mask| cells.each_index { |i| cells[i] = name if mask[i] == 1 } }
    cells.each_slice(@width).map(&:join)
  end
end

width = (ARGV[0] || 4).to_i
limit = (ARGV[1] || 400).to_i
puzzle = Puzzle.new(width, 60 / width, limit)
catch(:enough) { puzzle.solve }
puts puzzle.first
puts "#{width}x#{60 / width}: #{puzzle.count} tilings counting reflections, #{puzzle.tried} placements tried"
