# N queens, once with arrays and blocks and once with bit masks.
class Board
  attr_reader :solutions, :first

  def initialize(size)
    @size = size
    @columns = Array.new(size, false)
    @up = Array.new(2 * size, false)
    @down = Array.new(2 * size, false)
    @queens = []
    @solutions = 0
  end

  def solve(row = 0)
    if row == @size
      @solutions += 1
      @first ||= @queens.dup
      return
    end
    @size.times do |column|
      next if @columns[column] || @up[row + column] || @down[row - column + @size]

      mark(row, column, true)
      @queens.push(column)
      solve(row + 1)
      @queens.pop
      mark(row, column, false)
    end
  end

  private

  def mark(row, column, taken)
    @columns[column] = @up[row + column] = @down[row - column + @size] = taken
  end
end

def count_by_bits(all, columns, left, right)
  return 1 if columns == all

  count = 0
  free = all & ~(columns | left | right)
  until free == 0
    bit = free & -free
    free ^= bit
    count += count_by_bits(all, columns | bit, (left | bit) << 1, (right | bit) >> 1)
  end
  count
end

n = (ARGV[0] || 12).to_i
board = Board.new(n)
board.solve
puts "#{n} queens: #{board.solutions} solutions, first #{board.first.join(' ')}"
puts "#{n + 1} queens by bits: #{count_by_bits((1 << (n + 1)) - 1, 0, 0, 0)}"
