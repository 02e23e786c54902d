# JSON: what CRuby's own tests of the library ask for beyond json.rb.
require "json"
def said = (yield; nil) rescue $!
p said { JSON.parse('"\uD800"') }, said { JSON.parse('"ab \uD800\u0041"') } # => #<JSON::ParserError: incomplete surrogate pair at '\uD800"' at line 1 column 2>
# => #<JSON::ParserError: invalid surrogate pair at 'ab' at line 1 column 2>
p JSON.parse('"\uD834\uDD1E"'), said { JSON.parse("-Infinity x") } # => "𝄞"
# => #<JSON::ParserError: unexpected token '-Infinity' at line 1 column 1>
p said { JSON.parse("[\"\x80\"]".dup.force_encoding("US-ASCII")) }.class, JSON.parse("[1]".encode("US-ASCII")) # => Encoding::InvalidByteSequenceError
# => [1]
p JSON.parse('"foo"', freeze: true).equal?(-"foo"), JSON::Parser::Config.new({}).parse("[]") # => true
# => []
# Frozen states generate, and no option of theirs can be set.
state = JSON::State.new(depth: 1).freeze
broken = Object.new
def broken.to_json(*) = raise("no")
p state.generate([1]), said { state.generate([{a: broken}]) }, state.depth, said { state.indent = 1 }.class # => "[1]"
# => #<RuntimeError: no>
# => 1
# => FrozenError
p JSON::State.new.to_h.key?(:sort_keys) # => false
coder = JSON::Coder.new(symbolize_names: true).freeze
p Ractor.shareable?(coder), coder.dump([1]), coder.load('{"a": 1}') # => true
# => "[1]"
# => {a: 1}
class Named < String
  def to_json(*) = '"named"'
  def to_s = self
end
p JSON.generate(Named.new("x") => 1), JSON._dump_default_options[:max_nesting] # => "{\"named\":1}"
# => false
