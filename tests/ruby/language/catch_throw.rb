# catch and throw leave any number of calls at once.
result = catch(:done) do
  10.times { |i| 10.times { |j| throw :done, [i, j] if i * j == 42 } }
  :never
end
p result # => [6, 7]
p catch(:x) { 1 } # => 1
p catch(:x) { throw :x } # => nil
p catch { |tag| throw tag, :own_tag } # => :own_tag

def deep(n) = n.zero? ? throw(:found, "bottom") : deep(n - 1)
p catch(:found) { deep(100) } # => "bottom"

p(catch(:outer) { catch(:inner) { throw :outer, 1 }; 2 }) # => 1
p(catch(:outer) { catch(:inner) { throw :inner, 1 }; 2 }) # => 2
p(catch(:a) { catch(:a) { throw :a, 1 } + 1 }) # => 2

begin
  throw :nobody, 1
rescue UncaughtThrowError => e
  puts e.message # => uncaught throw :nobody
  p e.tag, e.value
  # => :nobody
  # => 1
end

order = []
catch(:t) do
  begin
    throw :t
  ensure
    order << :ensure
  end
end
p order # => [:ensure]

p(catch("s") { |tag| begin; throw tag, 1; rescue StandardError; 2; end }) # => 1
values = catch(:stop) do
  [1, 2, 3].each_with_object([]) { |x, all| x == 3 ? throw(:stop, all) : all << x }
end
p values # => [1, 2]
