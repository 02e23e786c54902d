# What to_enum makes: the receiver, the method, its arguments and keywords, and how its size is found.
p 1.to_enum, "ab".to_enum(:each_char), [1].enum_for(:each_slice, 2) # => #<Enumerator: 1:each>
# => #<Enumerator: "ab":each_char>
# => #<Enumerator: [1]:each_slice(2)>
p [1, 2, 3].to_enum("each_slice", 2).to_a # => [[1, 2], [3]]
p "a\nb".to_enum(:each_line, chomp: true).to_a # => ["a", "b"]
options = {chomp: true}
lines = "a\nb".to_enum(:each_line, **options)
options[:chomp] = false
p lines, lines.to_a # => #<Enumerator: "a\nb":each_line(chomp: true)>
# => ["a", "b"]
p [1, 2].to_enum(:each, **{}).to_a # => [1, 2]
p [1, 2, 3].to_enum(:each) { 42 }.size, [1].to_enum.size, [1, 2, 3].each_slice(2).size # => 42
# => nil
# => 2
p 1.method(:to_enum).arity, 1.method(:enum_for).parameters # => -1
# => [[:rest]]
begin
  1.to_enum(3)
rescue TypeError => e
  puts e.message # => 3 is not a symbol nor a string
end

class Pairs
  def each(*list, **named) = yield(list, named)
end
p Pairs.new.to_enum(:each, 1).each(2).to_a # => [[[1, 2], {}]]
p Pairs.new.to_enum(:each, k: 1).to_a # => [[[], {k: 1}]]
p 1.step(by: 2, to: 5), 1.step(by: 2, to: 5).to_a, 1.step(5, 2) # => (1.step(by: 2, to: 5))
# => [1, 3, 5]
# => (1.step(5, 2))

# One without a size goes to other Ractors.
Warning[:experimental] = false
taker = Ractor.new { Ractor.receive.map { |x| x * 2 } }
taker.send([5, 6].to_enum)
p taker.value # => [10, 12]

p (1..10).step(4) { break it }, (1...9).step(4).to_a, (1..9).step(4) {} # => 1
# => [1, 5]
# => 1..9
seen = []
(1...9).step(4) { seen << it }
(5..1).step(2) { seen << it }
p seen # => [1, 5]
