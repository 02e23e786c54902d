# Expressions of thousands of terms, and methods with more calls and literals than operands of 16 bits can name.
TIMES = GC.stress ? 100 : 1
p eval("a = 'x'; #{(["a"] * (5000 / TIMES)).join("+")}").size == 5000 / TIMES # => true
p eval("a = 1; #{(["a"] * (9000 / TIMES)).join("&&")}") # => 1
p eval("a = [1]; a#{".itself" * (8000 / TIMES)}") # => [1]
lines = (0...70_000 / TIMES).map { |i| "x = 'a#{i}'.size\n" }
eval("def long(y)\n#{lines.join}def self.inner = @inner = :later\nx + inner.size + [y, :other].size\nend")
long = "a#{70_000 / TIMES - 1}".size + 7
p long(1) == long # => true
p 4.times.map { |i| Thread.new { long(i) } }.map(&:value).uniq == [long] # => true
eval("def calls(a)\n#{"a.succ\n" * (70_000 / TIMES)}a.succ\nend")
p calls(1), calls("a"), calls(:a) # => 2
# => "b"
# => :b
begin
  eval("#{"a+" * 20_000}a")
rescue SyntaxError, SystemStackError => e
  puts e.message.match?(/nesting too deep|stack level too deep/) # => true
end
