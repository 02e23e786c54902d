# What a block of one method of Enumerable answers to the method of an enumerator that calls it.
a = [1, 2, 3, 4].each_entry
odd = proc { |x| x if x.odd? }
p a.take_while.map(&odd), a.find.map(&odd), a.find_index.to_a, a.partition.map(&odd) # => [1]
# => [1, nil, 3, nil]
# => [1, 2, 3, 4]
# => [1, nil, 3, nil]
p a.take_while.count, a.find.count, a.to_enum(:all?).sum, a.to_enum(:none?).inject(:+) # => 1
# => 4
# => 1
# => 10
p a.reject.with_index { |_, i| i > 1 }, a.find.with_index { |_, i| i == 2 }, a.select.each_with_index { |_, i| i == 2 } # => [1, 2]
# => 3
# => [3]
p a.take_while.tally.to_a, a.find.group_by(&odd).to_a, a.drop_while.uniq, a.find.sort_by { |x| -x }, a.take_while.zip([5]), a.find.minmax # => [[1, 1]]
# => [[1, [1]], [nil, [2, 4]], [3, [3]]]
# => [1]
# => [4, 3, 2, 1]
# => [[1, 5]]
# => [1, 4]
p a.each_slice(2).find { |x, y| y == 4 }, a.each_cons(2).take_while { |x, y| y < 4 } # => [3, 4]
# => [[1, 2], [2, 3]]
# zip walks what is no Array beside the receiver, which it goes through once.
seen = []
noisy = Enumerator.new { |y| 3.times { |i| seen << i; y << i } }
p noisy.zip(1.., [:a, :b], [9].each_entry), seen # => [[0, 1, :a, 9], [1, 2, :b, nil], [2, 3, nil, nil]]
# => [0, 1, 2]
p (1..).each_entry.zip(noisy) { |row| break row } # => [1, 0]
# Sizes.
p 1.upto(Float::INFINITY).size, 1.downto(Float::INFINITY).size, 1.upto(3.5).size, (1.upto(Float::NAN).size rescue $!) # => Infinity
# => 0
# => 3
# => #<FloatDomainError: NaN>
p Enumerator.product(1.., []).size, Enumerator.product(1.., [1].each_entry).size, Enumerator.product([1], Enumerator.new {}).size # => 0
# => Infinity
# => nil
o = Object.new.extend(Enumerable)
def o.size = 0
p o.cycle.size, (o.cycle("").size rescue $!.class) # => 0
# => TypeError
# Keywords in what is shown.
p (0..1).each_with_object({ a: 1, b: [] }), (0..1).each_entry({ "a" => 1 }), (0..1).each_entry({}) # => #<Enumerator: 0..1:each_with_object(a: 1, b: [])>
# => #<Enumerator: 0..1:each_entry({"a" => 1})>
# => #<Enumerator: 0..1:each_entry({})>
p 1.step(10, by: 2), 1.step(by: 2, to: 9), 1.step(by: 2) # => (1.step(10, by: 2))
# => (1.step(by: 2, to: 9))
# => (1.step(by: 2))
# A sequence without a beginning can be looked at only.
s = (..10).step(2)
p s, s.first, (s.first(1) rescue $!), (s.each {} rescue $!), (s.size rescue $!), (s.last rescue $!) # => ((..10).step(2))
# => nil
# => #<TypeError: nil can't be coerced into Integer>
# => #<TypeError: nil can't be coerced into Integer>
# => #<TypeError: nil can't be coerced into Integer>
# => #<TypeError: nil can't be coerced into Integer>
p (1..).step(1.0i).first(2), (0.0..).step(1i).take(2) # => [1, (1+1.0i)]
# => [0.0, (0.0+1i)]
