# next and peek over Ranges of Integers and Integer#times, which are walked without a fiber, some elements at a time.
e = (1..300).each
p (1..300).map { e.peek == e.next ? nil : 1 }.compact # => []
begin
  e.next
rescue StopIteration => s
  p s.message, s.result # => "iteration reached an end"
  # => 1..300
end
p((e.peek rescue $!.class)) # => StopIteration
e.rewind
p e.next, e.peek, e.next, e.next_values, e.peek_values # => 1
# => 2
# => 2
# => [3]
# => [4]

values = []
e = (5...260).each
loop { values << e.next }
p values == (5...260).to_a # => true
p [(1...1), (2..1), (1...2)].map { |r| e = r.each; [(e.next rescue :end), (e.next rescue :end)] } # => [[:end, :end], [:end, :end], [1, :end]]

e = (1..).each
1000.times { e.next }
p e.next, e.peek, e.size # => 1001
# => 1002
# => Infinity
e = (2**62 - 2..).each
p Array.new(4) { e.next }.last == 2**62 + 1 # => true
e = (2**64..2**64 + 1).each
p e.next == 2**64, e.next == 2**64 + 1, (e.next rescue :end) # => true
# => true
# => :end

e = 3.times
p e.next, e.next, e.next # => 0
# => 1
# => 2
p((begin; e.next; rescue StopIteration => s; s.result; end)) # => 3
p((0.times.next rescue :end), (-1.times.next rescue :end)) # => :end
# => :end

# Other ranges are walked by their each.
p ("a".."c").each.next, (begin; (1.5..2).each.next; rescue TypeError => e; e.message; end) # => "a"
# => "can't iterate from Float"
e = (1..2.5).each
p e.next, e.next, (e.next rescue :end) # => 1
# => 2
# => :end

# So is one whose each is somebody's own.
class Odd < Range
  def each = yield(:own)
end
p Odd.new(1, 2).each_entry.next # => :own
p Enumerator.new(1) { |y| y << 4 }.next # => 4
p Odd.new(1, 2).to_enum.next # => :own

# A walk goes on in a copy of nothing.
e = (1..3).each
e.next
p((e.dup rescue $!.message)) # => "can't copy execution context"

# Several values, none, and nil.
e = Enumerator.new { |y| y.yield; y.yield 1, 2; y << nil << [3]; y.yield({a: 1}) }
p e.next, e.next, e.next, e.next, e.next # => nil
# => [1, 2]
# => nil
# => [3]
# => {a: 1}
