# Sudoku by constraint propagation and search, on hashes, arrays and strings.
ROWS = ("A".."I").to_a
COLUMNS = ("1".."9").to_a
SQUARES = ROWS.flat_map { |row| COLUMNS.map { |column| (row + column).to_sym } }

unit_rows = ROWS.map { |row| COLUMNS.map { |column| :"#{row}#{column}" } }
unit_columns = COLUMNS.map { |column| ROWS.map { |row| :"#{row}#{column}" } }
unit_boxes = ROWS.each_slice(3).flat_map do |rows|
  COLUMNS.each_slice(3).map do |columns|
    rows.product(columns).map { |row, column| :"#{row}#{column}" }
  end
end
ALL_UNITS = unit_rows + unit_columns + unit_boxes
UNITS = SQUARES.to_h { |square| [square, ALL_UNITS.select { |unit| unit.include?(square) }] }
PEERS = SQUARES.to_h { |square| [square, UNITS[square].flatten.uniq - [square]] }

class Sudoku
  attr_reader :guesses

  def initialize(text)
    @guesses = 0
    @values = SQUARES.to_h { |square| [square, "123456789"] }
    digits = text.chars.select { |char| char =~ /[0-9.]/ }
    SQUARES.zip(digits) do |square, digit|
      next if digit == "." || digit == "0"

      assign(@values, square, digit) or raise ArgumentError, "contradiction at #{square}"
    end
  end

  def solve
    search(@values)
  end

  private

  def assign(values, square, digit)
    values[square].delete(digit).each_char.all? { |other| eliminate(values, square, other) } && values
  end

  def eliminate(values, square, digit)
    return values unless values[square].include?(digit)

    rest = values[square] = values[square].delete(digit)
    case rest.size
    when 0 then return false
    when 1
      return false unless PEERS[square].all? { |peer| eliminate(values, peer, rest) }
    end
    UNITS[square].each do |unit|
      places = unit.select { |place| values[place].include?(digit) }
      return false if places.empty?
      return false if places.size == 1 && !assign(values, places.first, digit)
    end
    values
  end

  def search(values)
    return false unless values
    return values if SQUARES.all? { |square| values[square].size == 1 }

    square = SQUARES.reject { |candidate| values[candidate].size == 1 }.min_by { |candidate| values[candidate].size }
    values[square].each_char do |digit|
      @guesses += 1
      solved = search(assign(values.dup, square, digit))
      return solved if solved
    end
    false
  end
end

PUZZLES = [
  "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
  "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
  "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
  "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
].freeze

rounds = (ARGV[0] || 16).to_i
rounds.times do |round|
  PUZZLES.each_with_index do |puzzle, index|
    sudoku = Sudoku.new(puzzle)
    solved = sudoku.solve
    next unless round == 0

    puts "puzzle #{index + 1}: #{sudoku.guesses} guesses"
    puts SQUARES.map { |square| solved[square] }.each_slice(9).map(&:join) if solved
  end
end
