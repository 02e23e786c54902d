# while, until, for, loop and their modifiers; break, next and redo.
i = 0
i += 1 while i < 5
p i # => 5
i -= 1 until i.zero?
p i # => 0

p((while true do break end)) # => nil
p((while true do break 1, 2 end)) # => [1, 2]
p((while false do end)) # => nil

n = 0
begin
  n += 1
end while n < 0
p n # => 1
begin n += 10 end until true
p n # => 11

for a in 1..3 do print a, " " end
puts # => 1 2 3 
for a, b in [[1, 2], [3, 4]]
  print a + b, " "
end
puts # => 3 7 
p a # => 3
p((for x in [] do end)) # => []

sum = 0
1.step(10, 3) { |v| sum += v }
10.downto(7) { |v| sum += v }
1.upto(3) { |v| sum -= v }
p sum # => 50

tries = 0
result = [1, 2].map do |v|
  tries += 1
  redo if tries == 2
  v * tries
end
p result # => [1, 6]

p(loop { break :value }) # => :value
p(loop { raise StopIteration }) # => nil

odd = []
10.times { |v| next if v.even?; break if v > 7; odd << v }
p odd # => [1, 3, 5, 7]
p (1..Float::INFINITY).lazy.map { |v| v * 2 }.first(3) # => [2, 4, 6]

i = 0
until (i += 1) == 4
  next if i == 2
  print i, " "
end
puts # => 1 3 
outer = (1..3).each do |u|
  (1..3).each do |v|
    break if v == 2
    print u, v, " "
  end
end
puts # => 11 21 31 
p outer # => 1..3
p 3.times.to_a, 3.times { }
# => [0, 1, 2]
# => 3
i = 10
i -= 1 while i > 5 && i != 7
p i # => 7
