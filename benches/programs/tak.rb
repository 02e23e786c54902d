# Takeuchi's function: calls with three arguments.
def tak(x, y, z)
  if y < x
    tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))
  else
    z
  end
end

rounds = (ARGV[0] || 500).to_i
sum = 0
rounds.times { |i| sum += tak(18, 11 + i % 2, 6) }
puts "tak #{rounds} rounds: #{sum}"
