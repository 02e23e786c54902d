# Pattern matching: every kind of pattern, and what happens without a match.
# args: -W0
def kind(v)
  case v
  in nil then :nil
  in 0 | 1 => small then [:small, small]
  in Integer => n if n > 100 then [:big, n]
  in Integer | Float => n unless n == 50 then [:number, n]
  in [] then :empty
  in [x] then [:one, x]
  in [Integer => a, String => b] then [:pair, a, b]
  in [first, *, last] if first == last then [:same_ends, first]
  in [*, Symbol => s, *after] then [:found, s, after]
  in [_, _, *rest] then [:rest, rest]
  in {} if v.empty? then :empty_hash
  in { type: :circle, r: } then [:circle, r]
  in { type: :rect, w: Integer => w, h: Integer => h, **nil } then [:rect, w, h]
  in { name: String => name, **rest } then [:named, name, rest]
  in /ab+/ then :regexp
  in "x".."z" then :range
  in ^$pin then :pinned
  in ->(x) { x.respond_to?(:call) } then :callable
  else :none
  end
end
$pin = :pin
p(kind(nil)) # => :nil
p(kind(1)) # => [:small, 1]
p(kind(101)) # => [:big, 101]
p(kind(7.5)) # => [:number, 7.5]
p(kind(50)) # => :none
p(kind([])) # => :empty
p(kind([1])) # => [:one, 1]
p(kind([1, "b"])) # => [:pair, 1, "b"]
p(kind([4, 5, 4])) # => [:same_ends, 4]
p(kind([1, :s, 2, 3])) # => [:found, :s, [2, 3]]
p(kind([1, 2, 3])) # => [:rest, [3]]
p(kind({})) # => :empty_hash
p(kind({ type: :circle, r: 2, extra: 1 })) # => [:circle, 2]
p(kind({ type: :rect, w: 1, h: 2 })) # => [:rect, 1, 2]
p(kind({ type: :rect, w: 1, h: 2, z: 3 })) # => :none
p(kind({ name: "n", age: 3 })) # => [:named, "n", {age: 3}]
p(kind("xabb")) # => :regexp
p(kind("y")) # => :range
p(kind(:pin)) # => :pinned
p(kind(-> {})) # => :callable
p(kind(:other)) # => :none
Point = Struct.new(:x, :y)
Coord = Data.define(:lat, :lng)
class Deconstructs
  attr_reader :asked
  def deconstruct = [1, 2]
  def deconstruct_keys(keys) = (@asked = keys; { a: 1, b: 2 })
end
case Point.new(1, 2)
in [x, y] then p [x, y] # => [1, 2]
end
case Point.new(1, 2)
in Point(x:, y: 2) then p x # => 1
end
case Coord.new(lat: 1, lng: 2)
in Coord[lat:, lng:] then p lat + lng # => 3
end
d = Deconstructs.new
case d
in { a:, b: Integer } then p a, d.asked
# => 1
# => [:a, :b]
end
case d
in { a:, **rest } then p rest, d.asked
# => {b: 2}
# => nil
end
case d
in Deconstructs[a, b] then p b # => 2
end
p((5 in Integer)) # => true
p((5 in String)) # => false
p(({ a: [1, { b: 2 }] } in { a: [_, { b: }] })) # => true
p(b) # => 2
{ status: "ok", items: [{ id: 1 }, { id: 2 }] } => { status:, items: [{ id: first }, *] }
p(status) # => "ok"
p(first) # => 1
[-> { 5 => String }, -> { { a: 1 } => { b: } }, -> { { a: 1 } => { a: String } }, -> { [1, 2] => [a] }, -> { case 5; in 6 then 1; end }].each do |l|
  l.call
rescue NoMatchingPatternError => e
  puts "#{e.class}: #{e.message}"
# => NoMatchingPatternError: 5: String === 5 does not return true
# => NoMatchingPatternKeyError: {a: 1}: key not found: :b
# => NoMatchingPatternError: {a: 1}: String === 1 does not return true
# => NoMatchingPatternError: [1, 2]: [1, 2] length mismatch (given 2, expected 1)
# => NoMatchingPatternError: 5: 6 === 5 does not return true
end
begin
  { a: 1 } => { b: }
rescue NoMatchingPatternKeyError => e
  p(e.key) # => :b
  p(e.matchee) # => {a: 1}
end
x = 5
p((case 5; in ^x then 1 end)) # => 1
p((case 6; in ^(x + 1) then 2 end)) # => 2
p((case [1, 1]; in [a, ^a] then 3 end)) # => 3
@iv = 1
p((1 in ^@iv)) # => true
p((case { "k" => 1 }; in { "k": } then k else :string_key end)) # => :string_key
p((case [1, [2, [3, 4]]]; in [Integer => a, [b, [*c]]] then [a, b, c] end)) # => [1, 2, [3, 4]]
p((case { a: nil }; in { a: nil } then 1 end)) # => 1
p((case {}; in { a: nil } then 1 else 2 end)) # => 2
in_array = (case [[:a, 1], [:b, 2]]; in [*, [:b, v], *] then v end)
p in_array # => 2
p((case 1.0; in 1 then :eqq end)) # => :eqq
p((case "s"; in String | Symbol => t then t end)) # => "s"
p((case []; in [*a] then a end)) # => []
p((case 3; in ..5 then 1 end)) # => 1
p((case 3; in 4.. then 1 else 2 end)) # => 2
p [[1, 2], [3, 4]].map { |in_pair| in_pair => [a, b]; a * b } # => [2, 12]
