# The flip-flop is true from where its first condition holds to where its second does.
p (1..10).select { |i| true if (i == 3)..(i == 5) } # => [3, 4, 5]
p (1..10).select { |i| true if (i == 3)...(i == 3) } # => [3, 4, 5, 6, 7, 8, 9, 10]
p (1..10).select { |i| true if (i == 3)..(i == 3) } # => [3]
p (1..10).select { |i| true if (i % 3 == 0)..(i % 2 == 0) } # => [3, 4, 6, 9, 10]
lines = %w[a BEGIN b c END d BEGIN e END f]
inside = lines.select { |line| true if (line == "BEGIN")..(line == "END") }
p inside # => ["BEGIN", "b", "c", "END", "BEGIN", "e", "END"]
result = []
lines.each do |line|
  if (line =~ /BEGIN/)...(line =~ /END/)
    result << line.downcase
  else
    result << "-"
  end
end
puts result.join(" ") # => - begin b c end - begin e end -
outside = lines.reject { |line| true if (line == "BEGIN")..(line == "END") }
p outside # => ["a", "d", "f"]
def state(list) = list.map { |i| ((i == 2)..(i == 3)) ? 1 : 0 }
p state([1, 2, 2, 3, 4]), state([3, 2])
# => [0, 1, 1, 1, 0]
# => [0, 1]
p (1..6).map { |i| !((i == 2)..(i == 4)) } # => [true, false, false, false, true, true]
