# Array, Enumerable and Range: sizes of nothing, sizes that are too big, what is looked at first.
def t
  yield
rescue StandardError => e
  e.class
end

p t { [].zip(nil) }
# => []
p t { [].zip([1], 5) { } }
# => nil
p t { [1].zip(nil) }
# => TypeError
p t { a = [1]; a.fill(2, 4, 0); a }
# => [1, nil, nil, nil]
p t { a = [1]; a.fill(2, 4, -1); a }
# => [1]
p t { a = [1]; a.fill(2, 4..2); a }
# => [1, nil, nil, nil]
p t { a = [1]; a.fill(2, 4..4); a }
# => [1, nil, nil, nil, 2]
p t { a = [1]; a.fill(4, 0) { 3 }; a }
# => [1, nil, nil, nil]
p t { [[1, [2]]].flatten(2**31) }
# => RangeError
p t { [[1, [2]]].flatten(2**31 - 1) }
# => [1, 2]
p t { [3, 1].max(0) { raise "asked" } }
# => []
p t { [3, 1].min_by(0) { raise "asked" } }
# => []
p t { [3, 1].each_entry.max(0) { raise "asked" } }
# => []
p t { [].freeze.shift(-1) }
# => FrozenError
p t { [].freeze.pop("x") }
# => FrozenError
p t { [0].uniq! { raise "asked" } }
# => nil
p t { [1].dig((0..)) }
# => TypeError
p t { [1].dig(-1) }
# => 1
p t { (1..3).bsearch { Float::NAN } }
# => ArgumentError
p t { { a: 1 }.take(2**62) }
# => ArgumentError
p t { begin; { a: 1 }.take(2**60 - 1); rescue NoMemoryError; :none; end }
# => :none
p t { { a: 1 }.take(2) }
# => [[:a, 1]]
p t { (1..3).first(2**62) }
# => ArgumentError
# A Range is no element of a Range.
p t { (-3..3) === (1..2) }
# => false
p t { (-3..3).cover?(1..2) }
# => true
p t { (..5) === (..4) }
# => false
p t { (1..) === 2 }
# => true
p t { ('a'..'c') === "bb" }
# => true
p t { (1..3) === nil }
# => false
p t { (nil..nil) === 1 }
# => true
# To take none of a Range.
p t { (1.5..4).max(0) }
# => []
p t { (1.5..4).min(0) }
# => TypeError
p t { (1.5..4).first(0) }
# => TypeError
p t { (1.5..4).first(-1) }
# => ArgumentError
p t { (1..).first(0) }
# => []
p t { (..5).last(-1) }
# => ArgumentError
p t { (0..-1).last(-2) }
# => []
p t { (0..-1).last(nil) }
# => []
p t { (0..2).last(-2) }
# => ArgumentError
p t { (0..2).last(2) }
# => [1, 2]
p t { (..5).inspect.encoding }
# => #<Encoding:BINARY (ASCII-8BIT)>
p t { (.."é").inspect.encoding }
# => #<Encoding:UTF-8>
