# What a block does to the receiver of its method: in an object of one thread as in CRuby.
a = [3, 1, 2]
a.sort! { |x, y| a << 9 if a.size < 5; x <=> y }
p a # => [1, 2, 3]
a = [3, 1, 2]
a.sort_by! { |x| a.clear if x == 2; x }
p a # => [1, 2, 3]
a = [1, 1, 2]
a.uniq! { |x| a[0] = 5; x }
p a # => [1, 2]
a = [1, 2, 3, 4]
a.reject! { |x| a << 5 if a.size == 4; x.even? }
p a # => [1, 3, 5]
a = [1, 2, 3, 4]
a.delete_if { |x| break if x == 3; true }
p a # => [3, 4]
a = [1, 2, 3, 4]
begin
  a.select! { |x| raise "out" if x == 3; x == 2 }
rescue => e
  p e.message, a # => "out"
  # => [2, 3, 4]
end
a = [1, 2, 3]
a.map! { |x| a.pop if x == 1; x * 2 }
p a # => [2, 4]
a = [0, 0, 0]
a.fill { |i| a.pop if i == 0; i }
p a # => [0, 1]
a = [1, 2]
a.fill(1, 3) { |i| a.size * 10 + i }
p a # => [1, 41, 42, 43]

s = +"aaa"
begin
  s.gsub!(/a/) { s << "b"; "c" }
rescue RuntimeError => e
  p e.message, s # => "string modified"
  # => "aaab"
end
s = +"aaa"
p s.sub!(/a/) { "b" } # => "baa"

h = { a: 1, b: 2 }
h.delete_if { |k, v| h[k] = v + 1; k == :a }
p h # => {b: 3}
h = { a: 1 }
h.transform_values! { |v| h[:a] = 7; v + 1 }
p h # => {a: 2}
h = { a: 1 }
h.merge!(a: 5) { |k, old, new| h[:a] = 100; old + new }
p h # => {a: 6}
h = { 1 => :a, 2 => :b }
h.transform_keys! { |k| h.delete(2); k + 10 }
p h # => {11 => :a, 12 => :b}
