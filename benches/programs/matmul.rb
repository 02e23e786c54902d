# Matrix product over nested arrays, in integers and in floats.
class Matrix
  attr_reader :rows

  def self.build(size)
    new(Array.new(size) { |i| Array.new(size) { |j| yield i, j } })
  end

  def initialize(rows)
    @rows = rows
  end

  def *(other)
    columns = other.rows.transpose
    product = @rows.map do |row|
      columns.map do |column|
        sum = 0
        row.each_with_index { |value, k| sum += value * column[k] }
        sum
      end
    end
    Matrix.new(product)
  end

  def trace
    @rows.each_with_index.sum { |row, i| row[i] }
  end
end

def multiply_by_index(a, b, size)
  c = Array.new(size) { Array.new(size, 0.0) }
  i = 0
  while i < size
    row = a[i]
    out = c[i]
    j = 0
    while j < size
      sum = 0.0
      k = 0
      while k < size
        sum += row[k] * b[k][j]
        k += 1
      end
      out[j] = sum
      j += 1
    end
    i += 1
  end
  c
end

n = (ARGV[0] || 240).to_i
a = Matrix.build(n) { |i, j| (i * 7 + j * 3) % 11 - 5 }
b = Matrix.build(n) { |i, j| (i * 5 + j * 2) % 13 - 6 }
puts "trace of the integer product: #{(a * b).trace}"

x = Array.new(n) { |i| Array.new(n) { |j| (i - j) * (i + j) / n.to_f } }
y = Array.new(n) { |i| Array.new(n) { |j| 1.0 / (i + j + 1) } }
product = multiply_by_index(x, y, n)
puts format("sum of the float product: %.6f", product.sum(&:sum))
puts format("corner: %.9f", product[n - 1][0])
