# `merge` answers a copy of the receiver with what the others have; nothing of the program's own copies it.
class Kept < Hash
  attr_accessor :note
  def initialize_copy(other) = raise("called")
  def dup = raise("called")
end
kept = Kept.new(7)
kept.note = :here
kept[:a] = 1
both = kept.merge({b: 2}, {a: 3})
p both, both.class, both.default, both.note, kept # => {a: 3, b: 2}
# => Kept
# => 7
# => :here
# => {a: 1}
p({a: 1}.compare_by_identity.merge({b: 2}).compare_by_identity?) # => true
p({a: 1}.freeze.merge.frozen?, {a: 1}.merge({a: 2}) { |k, x, y| [k, x, y] }) # => false
# => {a: [:a, 1, 2]}
like = Object.new
def like.to_hash = {c: 4}
p({a: 1}.merge(like), kept.merge(like).class) # => {a: 1, c: 4}
# => Kept
begin
  {}.merge(nil)
rescue TypeError => e
  puts e.message # => no implicit conversion of nil into Hash
end
