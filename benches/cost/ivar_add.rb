# The first instance variable of a new object
class Cell
  def initialize(i)
    @i = i
  end
end
n = ARGV[0].to_i
i = 0
while i < n
  Cell.new(i)
  i += 1
end
