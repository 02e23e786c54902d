# case/in with arrays, hashes, finds, guards, pins and deconstruction.
def describe(value)
  case value
  in [] then "empty"
  in [Integer => a] then "one integer #{a}"
  in [first, *rest] if rest.size > 3 then "long from #{first}"
  in [1, [x, *], *tail] then "nested #{x} #{tail}"
  in [_, _] then "pair"
  in { name: String => name, age: 18.. => age } then "adult #{name} #{age}"
  in { name:, **nil } then "only a name #{name}"
  in { name:, **rest } then "name and #{rest.keys}"
  in "a".."f" then "letter"
  in nil then "nil"
  in Symbol | true | false then "simple"
  else "other"
  end
end
[[], [1], [1, 2, 3, 4, 5], [1, [2, 3], 4], [:a, :b], { name: "Ann", age: 20 }, { name: 1 },
 { name: "Bob", age: 3 }, "c", nil, :s, true, 1.5].each { |value| puts describe(value) }
 # => empty
 # => one integer 1
 # => long from 1
 # => nested 2 [4]
 # => pair
 # => adult Ann 20
 # => only a name 1
 # => name and [:age]
 # => letter
 # => nil
 # => simple
 # => simple
 # => other

case [1, 42, "x", :y]
in [*, String => found, *after]
  p found, after
  # => "x"
  # => [:y]
end

expected = 5
case 5
in ^expected then puts "pinned" # => pinned
end
case { n: 6 }
in { n: ^(expected + 1) } then puts "pinned expression" # => pinned expression
end

class Point
  attr_reader :x, :y

  def initialize(x, y) = (@x, @y = x, y)
  def deconstruct = [x, y]
  def deconstruct_keys(keys) = { x: x, y: y }
end
case Point.new(1, 2)
in [a, b] then p [a, b] # => [1, 2]
end
case Point.new(1, 2)
in { x:, y: Integer => why } then p [x, why] # => [1, 2]
end
case Point.new(3, 4)
in Point(x: 3, y:) then p y # => 4
end
case Point.new(3, 4)
in Point[a, b] unless a > b then p a + b # => 7
end

config = { db: { user: "admin", ports: [1, 2] } }
config => { db: { user:, ports: [port, *] } }
p user, port
# => "admin"
# => 1
p((1 in Integer)) # => true
p(("x" in Integer)) # => false

begin
  case 7
  in String then 1
  end
rescue NoMatchingPatternError => e
  p e.message[0] # => "7"
end
begin
  { a: 1 } => { b: }
rescue NoMatchingPatternKeyError => e
  p e.key # => :b
end

case { status: "ok", items: [{ id: 1 }, { id: 2 }] }
in { status: "ok" | "fine" => status, items: [{ id: first_id }, *] }
  p status, first_id
  # => "ok"
  # => 1
end
in_value = [1, [2, [3, 4]]]
in_value => [a, [b, [*, c]]]
p a + b + c # => 7
case []
in {} then p :hash
in [] then p :array # => :array
end

# Why a single pattern does not match is said.
failures = [
  -> { 0 => 1 },
  -> { [] => Hash },
  -> { [0] => [1] },
  -> { 0 => 1 | 2 },
  -> { {a: 1} => {a: 2} },
  -> { {a: 1} => {b:} },
  -> { [1,2] => [a] },
  -> { {a: 1} => {a: 1, **nil} ; {a: 1,b: 2} => {a: 1, **nil}},
  -> { case 0; in 1; end },
  -> { case [0,1]; in [a,b] unless true; end },
  -> { case {a: 1}; in {a: String}; in {b:}; end},
  -> { [1,2,3] => [*, 5, *] },
  -> { 0 => String => x },
  -> { x=5; 6 => ^x },
  -> {nil => [a]},
  -> { 5 => {a:} },
  -> { {a: nil} => {a: nil, b:} }
]
failures.each do |failure|
  failure.call
rescue NoMatchingPatternError => e
  puts "#{e.class}: #{e.message}"
end
# => NoMatchingPatternError: 0: 1 === 0 does not return true
# => NoMatchingPatternError: []: Hash === [] does not return true
# => NoMatchingPatternError: [0]: 1 === 0 does not return true
# => NoMatchingPatternError: 0: 2 === 0 does not return true
# => NoMatchingPatternError: {a: 1}: 2 === 1 does not return true
# => NoMatchingPatternKeyError: {a: 1}: key not found: :b
# => NoMatchingPatternError: [1, 2]: [1, 2] length mismatch (given 2, expected 1)
# => NoMatchingPatternError: {a: 1, b: 2}: rest of {b: 2} is not empty
# => NoMatchingPatternError: 0: 1 === 0 does not return true
# => NoMatchingPatternError: [0, 1]: guard clause does not return true
# => NoMatchingPatternError: {a: 1}
# => NoMatchingPatternError: [1, 2, 3]: [1, 2, 3] does not match to find pattern
# => NoMatchingPatternError: 0: String === 0 does not return true
# => NoMatchingPatternError: 6: 5 === 6 does not return true
# => NoMatchingPatternError: nil: nil does not respond to #deconstruct
# => NoMatchingPatternError: 5: 5 does not respond to #deconstruct_keys
# => NoMatchingPatternKeyError: {a: nil}: key not found: :b
