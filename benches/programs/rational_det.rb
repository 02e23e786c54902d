# Determinants, inverses and linear systems in exact arithmetic.
class Matrix
  attr_reader :rows

  def initialize(rows)
    @rows = rows
  end

  def self.build(n, m = n)
    new(Array.new(n) { |i| Array.new(m) { |j| yield i, j } })
  end

  def self.identity(n) = build(n) { |i, j| i == j ? Rational(1) : Rational(0) }

  def size = @rows.size

  def *(other)
    columns = other.rows.transpose
    Matrix.new(@rows.map { |row| columns.map { |column| row.zip(column).sum { |a, b| a * b } } })
  end

  def determinant
    a = @rows.map(&:dup)
    sign = 1
    product = Rational(1)
    size.times do |k|
      pivot = (k...size).find { |i| a[i][k] != 0 }
      return Rational(0) if pivot.nil?
      if pivot != k
        a[k], a[pivot] = a[pivot], a[k]
        sign = -sign
      end
      product *= a[k][k]
      (k + 1...size).each do |i|
        factor = a[i][k] / a[k][k]
        next if factor == 0
        (k...size).each { |j| a[i][j] -= factor * a[k][j] }
      end
    end
    product * sign
  end

  def inverse
    n = size
    a = @rows.each_with_index.map { |row, i| row + Array.new(n) { |j| i == j ? Rational(1) : Rational(0) } }
    n.times do |k|
      pivot = (k...n).find { |i| a[i][k] != 0 }
      a[k], a[pivot] = a[pivot], a[k]
      scale = a[k][k]
      a[k] = a[k].map { |x| x / scale }
      n.times do |i|
        next if i == k || a[i][k] == 0
        factor = a[i][k]
        a[i] = a[i].zip(a[k]).map { |x, y| x - factor * y }
      end
    end
    Matrix.new(a.map { |row| row.drop(n) })
  end

  def ==(other) = rows == other.rows
end

hilbert = ->(n) { Matrix.build(n) { |i, j| Rational(1, i + j + 1) } }
(1..14).each { |n| puts "det H#{n} = 1/#{(1 / hilbert.(n).determinant).to_i}" }

h = hilbert.(48)
inverse = h.inverse
puts inverse.rows[8][8]
puts h * inverse == Matrix.identity(48)

vandermonde = Matrix.build(38) { |i, j| Rational(i + 1, 3)**j }
puts vandermonde.determinant

m = Matrix.build(38) { |i, j| Rational((i * 7 + j * 11) % 13 - 6, 1 + (i + 2 * j) % 5) }
3.times { |k| puts Matrix.new(m.rows.rotate(k)).determinant }
puts (1..4000).sum { |k| Rational(k.odd? ? 1 : -1, k) }.denominator.to_s.size
