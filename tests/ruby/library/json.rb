# JSON: parsing, generating, options and errors.
begin
  require "json"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { JSON.parse('{"a":[1,2.5,-3e2,null,true,false,"x\u00e9\ud83d\ude00\n"],"b":{}}') } # => {"a" => [1, 2.5, -300.0, nil, true, false, "xé😀\n"], "b" => {}}
t { JSON.parse("[]") } # => []
t { JSON.parse("123") } # => 123
t { JSON.parse('"s"') } # => "s"
t { JSON.parse('{"a":1}', symbolize_names: true) } # => {a: 1}
t { JSON.parse("[NaN,Infinity,-Infinity]", allow_nan: true) } # => [NaN, Infinity, -Infinity]
t { JSON.parse("[123456789012345678901234567890, 1.7976931348623157e308, 1e400]") } # => [123456789012345678901234567890, 1.7976931348623157e+308, Infinity]
t { JSON.parse("/* x */ [1] // y") } # => [1]
t { JSON.parse('{"a":1,"a":2}') } # => {"a" => 2}
t { JSON.parse('["a"]', freeze: true).then { |x| [x.frozen?, x[0].frozen?] } } # => [true, true]
# Errors name the place.
t { JSON.parse("") } # => JSON::ParserError: unexpected end of input at line 1 column 1
t { JSON.parse("{") } # => JSON::ParserError: expected object key, got EOF at line 1 column 2
t { JSON.parse("[1,]") } # => JSON::ParserError: unexpected character: ']' at line 1 column 4
t { JSON.parse("nope") } # => JSON::ParserError: unexpected token 'nope' at line 1 column 1
t { JSON.parse('{"a" 1}') } # => JSON::ParserError: expected ':' after object key at line 1 column 6
t { JSON.parse('{"a":1,}') } # => JSON::ParserError: expected object key, got: '}' at line 1 column 8
t { JSON.parse("[1 2]") } # => JSON::ParserError: expected ',' or ']' after array value at line 1 column 4
t { JSON.parse('"abc') } # => JSON::ParserError: unexpected end of input, expected closing " at line 1 column 5
t { JSON.parse("[\"a\tb\"]") } # => JSON::ParserError: invalid ASCII control character in string: 	b"] at line 1 column 4
t { JSON.parse("[01]") } # => JSON::ParserError: invalid number: '01]' at line 1 column 2
t { JSON.parse("[-]") } # => JSON::ParserError: invalid number: '-]' at line 1 column 2
t { JSON.parse("[NaN]") } # => JSON::ParserError: unexpected token 'NaN]' at line 1 column 2
t { JSON.parse("[1]\n  x") } # => JSON::ParserError: unexpected token at end of stream 'x' at line 2 column 3
t { JSON.parse(nil) } # => TypeError: no implicit conversion of nil into String
t { JSON.parse("[" * 101 + "]" * 101) } # => JSON::NestingError: nesting of 101 is too deep
t { JSON.parse("[" * 1000 + "]" * 1000, max_nesting: false).flatten } # => []
t { begin; JSON.parse("[\n1,\n x]"); rescue JSON::ParserError => e; [e.line, e.column]; end } # => [3, 2]
# Generating.
t { JSON.generate({ a: 1, "b" => [1.0, nil, true, "q\"\\\n\t\u0001é</"], 3 => :sym }) } # => "{\"a\":1,\"b\":[1.0,null,true,\"q\\\"\\\\\\n\\t\\u0001é</\"],\"3\":\"sym\"}"
t { JSON.generate([0.1, 100.0, 123456789.123, -0.0, 2**70, 1e20, 1e-5]) } # => "[0.1,100.0,123456789.123,-0.0,1180591620717411303424,1e+20,0.00001]"
t { JSON.generate("x") } # => "\"x\""
t { JSON.generate(nil) } # => "null"
t { JSON.generate([[], {}]) } # => "[[],{}]"
t { JSON.generate(Float::NAN) } # => JSON::GeneratorError: NaN not allowed in JSON
t { JSON.generate("\xff") } # => JSON::GeneratorError: source sequence is illegal/malformed utf-8
t { JSON.generate("é", ascii_only: true) } # => "\"\\u00e9\""
t { JSON.generate("😀</", ascii_only: true, script_safe: true) } # => "\"\\ud83d\\ude00<\\/\""
# A byte that is escaped is found wherever it stands in a long text.
SPECIAL = { "\"" => "\\\"", "\\" => "\\\\", "\n" => "\\n", "\u0000" => "\\u0000", "\u001f" => "\\u001f" }
t { SPECIAL.all? { |c, escaped| 24.times.all? { |i| JSON.generate("x" * i + c + "!" * 9) == "\"#{"x" * i}#{escaped}#{"!" * 9}\"" } } } # => true
t { 24.times.all? { |i| JSON.generate("x" * i + "/é" + "y" * 9, script_safe: true) == "\"#{"x" * i}\\/é#{"y" * 9}\"" } } # => true
t { 24.times.all? { |i| JSON.generate("x" * i + " é!#\u007f" + "y" * 9) == "\"#{"x" * i} é!#\u007f#{"y" * 9}\"" } } # => true
t { JSON.generate([0, -1, 10, -2**62, 2**62 - 1, 2**64, 1e20, -1.5e-9, 1e-320, 0.0, -0.0, 123456789012345680.0]) } # => "[0,-1,10,-4611686018427387904,4611686018427387903,18446744073709551616,1e+20,-0.0000000015,1e-320,0.0,-0.0,1.2345678901234568e+17]"
t { puts JSON.pretty_generate({ a: [1, { b: {} }, []], c: nil }) } # => {
# =>   "a": [
# =>     1,
# =>     {
# =>       "b": {}
# =>     },
# =>     []
# =>   ],
# =>   "c": null
# => }
# => nil
t { [1, "a", { b: 2 }].to_json } # => "[1,\"a\",{\"b\":2}]"
t { ["é".to_json, :a.to_json, nil.to_json, 1.5.to_json, true.to_json] } # => ["\"é\"", "\"a\"", "null", "1.5", "true"]
class Point
  def initialize(x) = @x = x
  def to_json(*a) = { x: @x }.to_json(*a)
end
t { JSON.generate([Point.new(1)]) } # => "[{\"x\":1}]"
t { puts JSON.pretty_generate([Point.new([1])]) } # => [
# =>   {
# =>     "x": [
# =>       1
# =>     ]
# =>   }
# => ]
# => nil
t { a = []; a << a; JSON.generate(a) } # => JSON::NestingError: nesting of 101 is too deep. Did you try to serialize objects with circular references?
t { JSON.dump({ a: 1 }) } # => "{\"a\":1}"
t { JSON.dump([1], $stdout); puts } # => [1]
# => nil
t { [JSON.load("null"), JSON.load(nil), JSON.load(""), JSON.load("[1,2]")] } # => [nil, nil, nil, [1, 2]]
t { seen = []; JSON.load('[1,{"a":2}]', ->(x) { seen << x; x }); seen } # => [1, "a", 2, {"a" => 2}, [1, {"a" => 2}]]
t { [JSON["[1]"], JSON[[1]]] } # => [[1], "[1]"]
t { { 1 => 2, nil => 3 }.to_json } # => "{\"1\":2,\"\":3}"
class Array
  alias plain_to_json to_json
  def to_json(*a) = plain_to_json(*a)
end
t { [[1]].to_json } # => "[[1]]"
t { 4.times.map { Thread.new { 200.times.map { |i| JSON.parse(JSON.generate({ "a" => [i, "x" * i] }))["a"][0] }.sum } }.map(&:value) } # => [19900, 19900, 19900, 19900]
