# Documents of every size around the places where the parser stores its values in another way, and keys of every length.
require "json"

def same(object) = JSON.parse(JSON.generate(object)) == object

p (0..200).all? { |n| same(Array.new(n) { |i| i.even? ? i : "s#{i}" }) } # => true
p (0..100).all? { |n| same((0...n).to_h { |i| ["key#{i}", i] }) } # => true
p (0..80).all? { |n| same({ "k" * n => n, "l" * n => "v" * n }) } # => true
p (0..80).all? { |n| same(["x" * n, "é" * n, "\"" * n, "a" * n + "\\" + "b" * n, "\x01" * n + "z"]) } # => true
deep = (0..70).inject([1]) { |inner, n| n.even? ? [n, inner, { "a" => n }] : { "n" => inner, "m" => [n] } }
p same(deep) # => true
p same([[1] * 63, [2] * 64, { "a" => [3] * 65, "b" => { "c" => [] } }, 4]) # => true

# Keys that occur again are one frozen String in a document; the last of two equal keys counts, in the place of the first.
a, b = JSON.parse('[{"key": 1, "other": 2}, {"other": 3, "key": 4}]')
p a.keys[0].equal?(b.keys[1]), a.keys[0].frozen?, a.keys == %w[key other] # => true
# => true
# => true
p JSON.parse('{"a": 1, "b": 2, "a": 3}', allow_duplicate_key: true) # => {"a" => 3, "b" => 2}
p (JSON.parse('{"a": 1, "b": 2, "a": 3}', allow_duplicate_key: false) rescue $!.class) # => JSON::ParserError
many = (0..400).map { |i| "k#{i}" }
p JSON.parse("[" + many.map { |k| %({"#{k}": "#{k}", "fixed": 1}) }.join(",") + "]") == many.map { |k| { k => k, "fixed" => 1 } } # => true
h = JSON.parse('{"a": 1, "b": [2]}')
h["c"] = 3
h.delete("a")
p h, h["b"], h.key?("a"), h.compare_by_identity.size # => {"b" => [2], "c" => 3}
# => [2]
# => false
# => 2

# With what is asked for values.
p JSON.parse('{"a": ["x", {"b": 1.5}]}', symbolize_names: true) # => {a: ["x", {b: 1.5}]}
frozen = JSON.parse('{"a": ["x", {"b": 1.5}]}', freeze: true)
p frozen.frozen?, frozen["a"].frozen?, frozen["a"][0].frozen?, frozen["a"][1].frozen? # => true
# => true
# => true
# => true
p JSON.parse('"é\u00e9\ud83d\ude00"'.encode("UTF-16LE")).size, JSON.parse("[\"\xC3\xA9\"]".b) # => 3
# => ["é"]
p JSON.parse("[1]".dup.force_encoding("US-ASCII")), (JSON.parse(nil) rescue $!.message) # => [1]
# => "no implicit conversion of nil into String"

# Numbers as they are written.
p JSON.generate([1.0, -1.0, 100.0, 1e14, -123456789012345.0, 1e15, 1e16, 0.0, -0.0, 1.5, 1e-7, 2.0**53, 1e100]) # => "[1.0,-1.0,100.0,100000000000000.0,-123456789012345.0,1e+15,1e+16,0.0,-0.0,1.5,0.0000001,9.007199254740992e+15,1e+100]"
symbol = (0..60).map { |n| "s" * n }
p symbol.all? { |name| JSON.generate({ name.to_sym => 1 }) == %({"#{name}":1}) } # => true
p JSON.generate({ "ü": 1, "a\"b": 2 }), JSON.pretty_generate({ a: [1, { b: [] }], c: {} }) # => "{\"ü\":1,\"a\\\"b\":2}"
# => "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}"

# Sums that begin with Integers and go on with Floats, and numbers in texts.
p [1, 2, 0.1, 0.2, 0.3].sum, [0.1] * 10 == [0.1] * 10 && ([0.1] * 10).sum { _1 }, [3, 0.1, 5].sum { |x| x } # => 3.6
# => 1.0
# => 8.1
p [1e100, 1.0, -1e100].sum { _1 }, [1, 2r, 0.5].sum { _1 }, [1.0, 2r, 3].sum { _1 }, [1, 1i, 0.5].sum { _1 } # => 1.0
# => 3.5
# => 6.0
# => (1.5+1i)
p [1, Float::INFINITY, 2].sum { _1 }, [Float::INFINITY, -Float::INFINITY, 1].sum { _1 }.nan?, [0.1, 2**70, 1].sum { _1 } # => Infinity
# => true
# => 1.1805916207174113e+21
p ([1, 0.5, "x"].sum { _1 } rescue $!.class), ["a", "b"].sum("") { _1 }, { a: 1.5, b: 2 }.sum { |_, v| v } # => TypeError
# => "ab"
# => 3.5
p Integer("12", exception: false), Integer("012"), Integer("012", 10), Integer("-5"), Integer("1_000"), Integer("999999999999999999") # => 12
# => 10
# => 12
# => -5
# => 1000
# => 999999999999999999
p Integer("x", exception: false), Integer("", exception: false), Integer("9" * 30), Integer(" 7 "), Integer("0"), Integer(3.9) # => nil
# => nil
# => 999999999999999999999999999999
# => 7
# => 0
# => 3
p (Integer(12, 10) rescue $!.message), (Integer("12", 1) rescue $!.message), (Integer("12".encode("UTF-16LE"), exception: false) rescue $!.class) # => "base specified for non string value"
# => "invalid radix 1"
# => Encoding::CompatibilityError
