# Largest singular value of an infinite matrix by the power method.
def matrix(i, j)
  1.0 / ((i + j) * (i + j + 1) / 2 + i + 1)
end

def times(vector)
  size = vector.size
  Array.new(size) do |i|
    sum = 0.0
    vector.each_with_index { |value, j| sum += matrix(i, j) * value }
    sum
  end
end

def times_transposed(vector)
  size = vector.size
  (0...size).map do |i|
    sum = 0.0
    size.times { |j| sum += matrix(j, i) * vector[j] }
    sum
  end
end

n = (ARGV[0] || 560).to_i
u = Array.new(n, 1.0)
v = nil
10.times do
  v = times_transposed(times(u))
  u = times_transposed(times(v))
end

uv = u.zip(v).sum { |a, b| a * b }
vv = v.sum { |b| b * b }
puts format("%0.9f", Math.sqrt(uv / vv))
