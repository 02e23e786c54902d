# What several threads do to one object at once: nothing is lost, nothing is there twice.

def at_once(n = 8)
  Array.new(n) { |i| Thread.new { yield i } }.map(&:value)
end

# With a collection at every allocation fewer rounds: each thread's collections stop all others.
ROUNDS = GC.stress ? 100 : 1000

# What rearranges, beside one that appends.
def beside(object, add)
  done = false
  worker = Thread.new { yield object until done }
  ROUNDS.times { |i| add.call(object, i) }
  done = true
  worker.join
  object
end

push = ->(a, i) { a << i }
puts beside([], push, &:sort!).sort == (0...ROUNDS).to_a # => true
puts beside([], push) { |a| a.sort! { |x, y| y <=> x } }.sort == (0...ROUNDS).to_a # => true
puts beside([], push) { |a| a.sort_by! { |x| -x } }.sort == (0...ROUNDS).to_a # => true
puts beside([], push, &:uniq!).sort == (0...ROUNDS).to_a # => true
puts beside([], push) { |a| a.uniq! { |x| x } }.sort == (0...ROUNDS).to_a # => true
puts beside([], push, &:reverse!).sort == (0...ROUNDS).to_a # => true
puts beside([], push, &:shuffle!).sort == (0...ROUNDS).to_a # => true
puts beside([], push) { |a| a.map! { |x| x } }.sort == (0...ROUNDS).to_a # => true
puts beside([], push) { |a| a.select! { |x| x } }.sort == (0...ROUNDS).to_a # => true

say = ->(s, i) { s << "x" }
puts beside(+"ab", say) { |s| s.sub!("a", "a") }.count("x") == ROUNDS # => true
puts beside(+"ab", say) { |s| s.gsub!(/a/) { "a" } }.count("x") == ROUNDS # => true
puts beside(+"ab", say, &:swapcase!).count("xX") == ROUNDS # => true
puts beside(+"ab", say, &:reverse!).count("x") == ROUNDS # => true
puts beside(+"ab", say) { |s| s.tr!("ab", "ba") }.count("x") == ROUNDS # => true

# Eight threads delete different elements of one Array.
list = (0...1600).to_a
at_once { |t| 200.times { |i| list.delete(t * 200 + i) } }
puts list.size # => 0

# What moves elements, from all threads.
list = (0...200).to_a
at_once { |t| 30.times { |i| [-> { list.reverse! }, -> { list.rotate!(3) }, -> { list.compact! }, -> { list.flatten! }][(t + i) % 4].call } }
puts list.sort == (0...200).to_a # => true

# One of all learns that an element is new.
set = Set.new
puts at_once { 200.times.count { |i| set.add?(i) } }.sum # => 200
puts at_once { 200.times.count { |i| set.delete?(i) } }.sum # => 200

# Counting.
number = +"0"
at_once { 200.times { number.succ! } }
puts number # => 1600
counts = {}
at_once { 200.times { |i| counts.merge!({ i % 3 => 1 }) { |_, a, b| a + b } } }
puts counts.values.sum # => 1600

# Appends of one thread keep their order.
list = []
at_once(4) { |t| 200.times { |i| list << [t, i] } }
puts list.group_by(&:first).all? { |_, of_one| of_one.map(&:last) == (0...200).to_a } # => true

# A variable of ENV is taken out by one thread only.
names = (0...100).map { |i| "ATOMIC_STEP_#{i}" }
names.each { |name| ENV[name] = "1" }
puts at_once(4) { names.count { |name| ENV.delete(name) } }.sum # => 100

# Equal keys of a WeakKeyMap are one.
map = ObjectSpace::WeakKeyMap.new
keys = at_once { |t| Array.new(50) { |i| key = "weak #{i}"; map[key] = t; key } }
puts keys.flatten.all? { |key| map.key?(key) } # => true
puts at_once { |t| (0...50).count { |i| map.delete("weak #{i}") } }.sum # => 50

# Reading from the end beside one that appends and takes away.
list = (0...20).to_a
done = false
writer = Thread.new { (list.push(1, 2, 3); list.pop(3)) until done }
puts (2 * ROUNDS).times.all? { list.last(2).size == 2 && list[-3..].size == 3 && list.fetch(19) && list.sample && list.each_slice(4).none? { |s| s.include?(nil) } } # => true
done = true
writer.join
