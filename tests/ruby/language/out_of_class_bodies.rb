# `break`, `next` and `redo` in a class body lead to the loop or block around it.
r = []
i = 0
x = while true
  i += 1
  r << i
  class A
    begin
      break 5
    ensure
      $ensured = 7
    end
  end
end
p x, r, $ensured # => 5
# => [1]
# => 7
i = 0
r = []
while i < 3
  i += 1
  class A; next; end
  r << i
end
p r # => []
p [1, 2].map { |n| class A; class B; next 5; end; end; 4 } # => [5, 5]
n = 0
p([1].map { |_| n += 1; class A; redo if ($redone = ($redone || 0) + 1) < 3; end; 7 }) # => [7]
p n # => 3
p([1, 2].each { |_| class A; y = 3; while true; break; end; break y; end }) # => 3
seen = []
[1, 2, 3].each { |_| class A; begin; raise "a"; rescue; next; end; end; seen << $! }
p seen, $! # => []
# => nil
n = 0
m = 0
while n < 5
  n += 1
  class A; redo if ($m = ($m || 0) + 1) < 6; end
end
p n, $m # => 6
# => 6
p((until class A; break 8; end; end)) # => 8
p((class A; 4; end)) # => 4
p([1, 2].each { |_| z = class A; break 4, 5; end }) # => [4, 5]
p((loop do class A; break; end end)) # => nil
l = -> { class A; break 3; end; 4 }
p l.call # => 3
l = -> { class A; next 2; end; 4 }
p l.call # => 2
# The value of a body that is left in one case only.
p([1, 2, 3].map { |v| $v = v; w = class A; next :left if $v == 2; $v * 10; end; w + 1 }) # => [11, :left, 31]
["class A; break; end", "class A; next; end", "class A; redo; end"].each do |source|
  begin
    1.times { eval source }
  rescue SyntaxError => e
    p e.class
  end
end
# => SyntaxError
# => SyntaxError
# => SyntaxError
# In eight threads at once, and in a fiber.
answers = 8.times.map { |t| Thread.new { 200.times.map { |v| class A; next 1; end }.sum } }.map(&:value)
p answers.uniq # => [200]
p Fiber.new { 3.times { class A; Fiber.yield 1; break 2; end } }.then { [_1.resume, _1.resume] } # => [1, 2]
# In the condition of a loop.
tries = 0
while ((tries += 1; next if tries < 5); tries < 5); end
p tries # => 5
