# Hash#merge and update with several Hashes, keywords, and what becomes a Hash.
h = { a: 1, b: 2 }
p h.merge(c: 3), h.merge({ "c" => 3 }, a: 4), h.merge, h # => {a: 1, b: 2, c: 3}
# => {a: 4, b: 2, "c" => 3}
# => {a: 1, b: 2}
# => {a: 1, b: 2}
p h.merge(*(0...9).map { |i| { i => i } }).size, h.merge((0...50).to_h { |i| [i, i] }).size # => 11
# => 52
like = Object.new
def like.to_hash = { z: 0 }
p h.merge(like), h.dup.update(like, a: 9), h.merge(h) { |k, a, b| [k, a, b] } # => {a: 1, b: 2, z: 0}
# => {a: 9, b: 2, z: 0}
# => {a: [:a, 1, 1], b: [:b, 2, 2]}
sub = Class.new(Hash)
with = sub.new(5).merge!(a: 1)
p with.merge(b: 2).class == sub, with.merge(b: 2)[:none], with.compare_by_identity.merge("k" => 1).compare_by_identity? # => true
# => 5
# => true
copy = h.dup
begin
  copy.update({ c: 3 }, 4, d: 5)
rescue TypeError => e
  p e.message, copy # => "no implicit conversion of Integer into Hash"
  # => {a: 1, b: 2, c: 3}
end
begin
  h.freeze.update
rescue FrozenError => e
  p e.message # => "can't modify frozen Hash: {a: 1, b: 2}"
end
p h.merge(x: 1).frozen? # => false
