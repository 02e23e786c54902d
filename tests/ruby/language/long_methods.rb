# Expressions of thousands of terms, and methods with more calls and literals than operands of 16 bits can name.
p eval("a = 'x'; #{(["a"] * 5000).join("+")}").size # => 5000
p eval("a = 1; #{(["a"] * 9000).join("&&")}") # => 1
p eval("a = [1]; a#{".itself" * 8000}") # => [1]
lines = (0...70_000).map { |i| "x = 'a#{i}'.size\n" }
eval("def long(y)\n#{lines.join}def self.inner = @inner = :later\nx + inner.size + [y, :other].size\nend")
p long(1) # => 13
p 4.times.map { |i| Thread.new { long(i) } }.map(&:value) # => [13, 13, 13, 13]
eval("def calls(a)\n#{"a.succ\n" * 70_000}a.succ\nend")
p calls(1), calls("a"), calls(:a) # => 2
# => "b"
# => :b
begin
  eval("#{"a+" * 20_000}a")
rescue SyntaxError, SystemStackError => e
  puts e.message.match?(/nesting too deep|stack level too deep/) # => true
end
