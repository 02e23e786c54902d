# Large Hashes grow and are copied while collections go on, by one thread and by several. Loops that allocate nothing:
# under --gc-stress each allocation is a collection.
collecting = true
collector = Thread.new { GC.start while collecting && (sleep 0.001 || true) }

VALUES = [[1], "two", { 3 => 4 }]
def right?(h, n)
  i = 0
  i += 1 while i < n && h[i].equal?(VALUES[i % 3])
  i == n
end

h = {}
17_000.times { |i| h[i] = VALUES[i % 3] }
p h.size # => 17000
p right?(h, 17_000) # => true
copy = h.dup
copy[:more] = 1
p [copy.size, h.size, copy.keys.size, h.values.last] # => [17001, 17000, 17001, "two"]
p right?(copy, 17_000) # => true
h.freeze
p [h.keys.sum, h.dup.size, h.values.size] # => [144491500, 17000, 17000]

# Threads fill one Hash, which grows under all of them.
shared = {}
Array.new(4) do |t|
  Thread.new { 5000.times { |i| shared[i * 4 + t] = VALUES[(i * 4 + t) % 3] } }
end.each(&:join)
p [shared.size, right?(shared, 20_000)] # => [20000, true]

# What was deleted is not copied.
1000.times { |i| shared.delete(i) }
p [shared.size, shared.dup.size, shared.keys.sum] # => [19000, 19000, 199490500]
by_identity = { "1" => 1, "2" => 2 }
9000.times { |i| by_identity[i] = i }
by_identity.compare_by_identity
p [by_identity.size, by_identity[8999], by_identity["1"]] # => [9002, 8999, nil]

# Long Strings are compared.
a = "x" * 600_000
b = a + ""
p [a == b, a <=> b, a == b + "y"] # => [true, 0, false]
b.setbyte(599_999, 121)
p [a == b, a <=> b, a.eql?(b)] # => [false, -1, false]
collecting = false
collector.join
