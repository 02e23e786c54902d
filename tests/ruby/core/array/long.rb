# Operations on many elements, which let other threads stop the world meanwhile: the same as on a few

N = 20_000
a = Array.new(N) { |i| i }
strings = Array.new(100) { |i| i.to_s } * 200
$on = true
# The world is stopped all the time, and the arrays are asked for by another thread.
pest = Thread.new do
  while $on
    GC.start unless GC.stress
    [a, strings, $changed].compact.each { |list| list.first(2) }
  end
  :ended
end

b = a.dup
p b == a, b.size, b[-1], b.equal?(a) # => true
# => 20000
# => 19999
# => false
p a.reverse.reverse == a, a.reverse[0], a.rotate(3)[0], a.rotate(-1)[0] # => true
# => 19999
# => 3
# => 19999
p (a + a).size, (a * 3).size, (a * 3)[2 * N + 5], (a + [1])[-1] # => 40000
# => 60000
# => 5
# => 1
p a[10, 17_000].size, a[3_000..].first, a.first(18_000).last, a.last(17_000).first # => 17000
# => 3000
# => 17999
# => 3000
p strings.dup.last, strings.reverse.first, (strings * 2)[N], strings.sort.first(4) # => "99"
# => "99"
# => "0"
# => ["0", "0", "0", "0"]

$changed = c = a.dup
p c.insert(1, :x, :y)[1, 3], c.size, c.last, c.delete_at(1), c.delete_at(1), c == a # => [:x, :y, 1]
# => 20002
# => 19999
# => :x
# => :y
# => true
c[2, 3] = strings
p c.size, c[1], c[2], c[N + 1], c[N + 2], c.last # => 39997
# => 1
# => "0"
# => "99"
# => 5
# => 19999
c[1, N + 1] = []
p c.size, c[0, 3] # => 19996
# => [0, 5, 6]
p c.shift(17_000).last, c.first, c.size # => 17003
# => 17004
# => 2996
c.concat(a, strings)
p c.size, c[2_995], c[2_996], c.last # => 42996
# => 19999
# => 0
# => "99"
c.unshift(*a.first(18_000))
p c.size, c[17_999], c[18_000] # => 60996
# => 17999
# => 17004
c[90_000] = :end
p c.size, c[-2], c[-1], c.compact.size # => 90001
# => nil
# => :end
# => 60997

$changed = d = Array.new(N, "x")
p d.fill(:y, 5, 17_000).tally, d[4], d[5], d.uniq # => {"x" => 3000, y: 17000}
# => "x"
# => :y
# => ["x", :y]
p a.shuffle(random: Random.new(1)).sort == a, a.map { |i| -i * 0.5 }.sort.first, a.sum, a.max, strings.max # => true
# => -9999.5
# => 199990000
# => 19999
# => "99"
p a.map { |i| (i * 7919) % N }.sort! == a, strings.map(&:to_i).sort!.equal?(a), a.sum(0.0) # => true
# => false
# => 199990000.0
p [*a, 0.5, "z"].sort_by { |v| strings[v.hash % 100] }.size, a.hash == b.hash, a.eql?(b), a.include?(19_999), a.include?(-1) # => 20002
# => true
# => true
# => true
# => false
p [a, [strings]].flatten.size, strings.join.size, a.join(",").size, (a & b).size, (a | strings).size, (a - b).size # => 40000
# => 38000
# => 108889
# => 20000
# => 20100
# => 0
$changed = e = a.dup
e.replace(strings)
strings << "more"
p e.size, e.last, e.pop(17_000).first, e.size, strings.size # => 20000
# => "99"
# => "0"
# => 3000
# => 20001

text = "abc" * 500_000
p text.size, text.ascii_only?, (text + "é").size, "é" * 300_000 == "é" * 300_000 # => 1500000
# => true
# => 1500001
# => true
p ("é" * 300_000).size, ("é" * 300_000 + "\xff").valid_encoding?, ("x" * 400_000).freeze.size # => 300000
# => false
# => 400000
$on = false
p pest.value # => :ended
