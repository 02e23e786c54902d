# `join` of Strings alone, and of what is mixed with them.

p ["a", "b"].join("-") # => "a-b"
p ["a".b, "é"].join.encoding # => #<Encoding:UTF-8>
p ["é", "a".b].join(",").encoding # => #<Encoding:UTF-8>
p ["a".encode("UTF-16LE")].join.encoding # => #<Encoding:UTF-16LE>
p [Class.new(String).new("q")].join.class # => String
p [1, "a", [2, ["b"]], nil, :c].join("/") # => "1/a/2/b//c"
p [[], "x", []].join(",") # => ",x,"
p((["é", "\xff".b].join rescue $!.message)) # => "incompatible character encodings: UTF-8 and BINARY (ASCII-8BIT)"
list = ["x"]
list << list
p((list.join rescue $!.message)) # => "recursive array join"

# An Array that another thread changes meanwhile.
list = Array.new(50) { "s" }
changes = Thread.new { 20_000.times { list[25] = it.odd? ? "s" : [:s] } }
joined = list.join(",") while changes.alive?
changes.join
p [nil, ("s," * 50).chop].include?(joined) # => true
