# `sum` and `to_h` with a block take keys and values without pairs.
h = {a: 1, b: 2, c: 3}
p h.sum { |k, v| v }, h.sum(10) { |k, v| v }, h.sum { |pair| pair.size }, h.sum([]) # => 6
# => 16
# => 6
# => [:a, 1, :b, 2, :c, 3]
p h.sum { |k, v| v / 2r }, h.sum { |k, v| v * 0.1 }, h.sum("") { |k, v| k.to_s }, {}.sum, {}.sum(1.5) # => (3/1)
# => 0.6000000000000001
# => "abc"
# => 0
# => 1.5
p h.sum { |k, v| v == 2 ? 0.5 : v }, h.sum(2**70) { |k, v| v }, h.sum { |k,| k.size } # => 4.5
# => 1180591620717411303430
# => 3
p h.sum { |k, v| v == 2 ? (break k) : v }, h.sum(&:last) # => :b
# => 6
begin
  h.sum
rescue TypeError => e
  p e.message # => "Array can't be coerced into Integer"
end
begin
  h.sum(&->(k, v) { v })
rescue ArgumentError => e
  p e.message # => "wrong number of arguments (given 1, expected 2)"
end
class Own < Hash
  def each = yield([:x, 40])
end
p Own[a: 1].sum { |k, v| v }, Own[a: 1].to_h { |k, v| [v, k] } # => 40
# => {1 => :a}
begin
  h.sum { |k, v| h[:"n#{v}"] = v }
rescue => e
  p e.class # => RuntimeError
end
p h.to_h { |k, v| [v, k] } # => {1 => :a, 2 => :b, 3 => :c}
like = Object.new
def like.to_ary = [1, 2]
p h.to_h { like }, [1].to_h { like } # => {1 => 2}
# => {1 => 2}
[-> { h.to_h { 1 } }, -> { h.to_h { [1] } }, -> { [5].to_h { 1 } }, -> { [5].to_h { [1, 2, 3] } }].each do |f|
  f.call
rescue TypeError, ArgumentError => e
  p e.message
end
# => "wrong element type Integer (expected array)"
# => "element has wrong array length (expected 2, was 1)"
# => "wrong element type Integer at 0 (expected array)"
# => "wrong array length at 0 (expected 2, was 3)"
