# Keys of classes below String are found by what they say, whichever of the two is frozen or a plain String.
class Sub < String; end
k = Sub.new("a"); h = {k => 1}
p h["a"], h[Sub.new("a")], h.keys[0].equal?(k), h.keys[0].frozen?
# => 1
# => 1
# => true
# => false
p({"a" => 1}[Sub.new("a")])
# => 1
k << "b"
p h["ab"], h["a"], h[k]
# => nil
# => nil
# => nil
h.rehash
p h["ab"], h[Sub.new("ab")]
# => 1
# => 1
h = {Sub.new("q") => 1}
p h.key?("q"), h.fetch("q"), h == {"q" => 1}, h.merge({"q" => 2}), h.dig("q"), h.assoc("q"), h.values_at("q"), h.slice("q"), h.except("q")
# => true
# => 1
# => true
# => {"q" => 2}
# => 1
# => ["q", 1]
# => [1]
# => {"q" => 1}
# => {}
p h.hash == {"q" => 1}.hash, h.to_a.to_h["q"], h.any? { |key, _| key.eql?("q") }, h.invert.invert["q"], h.transform_values(&:succ)["q"]
# => true
# => 1
# => true
# => 1
# => 2
h["q"] = 2
p h.size, h.keys[0].class, h.delete("q"), h
# => 1
# => Sub
# => 2
# => {}
p ["a", Sub.new("a"), Sub.new("a")].uniq, [Sub.new("a")] & ["a"], ["a"] - [Sub.new("a")], [Sub.new("a")] | ["a"], [Sub.new("a"), "a"].tally
# => ["a"]
# => ["a"]
# => []
# => ["a"]
# => {"a" => 2}
p Set[Sub.new("a")].include?("a"), Set["a"].include?(Sub.new("a")), Set[Sub.new("a")].delete("a"), Set["a"].add?(Sub.new("a"))
# => true
# => true
# => Set[]
# => nil
p [["x", Sub.new("k")]].group_by(&:last)["k"], [Sub.new("k")].to_h { [_1, 1] }["k"]
# => [["x", "k"]]
# => 1

# Such a class may have an eql? of its own.
class Insensitive < String
  def eql?(other) = downcase == other.downcase
  def hash = raise("not asked")
end
a = Insensitive.new("a")
p({a => 1}[Insensitive.new("a")], {"a" => 1}[Insensitive.new("a")])
# => 1
# => 1
never = Class.new(String) { def eql?(other) = false }
h = {}
2.times { h[never.new("a")] = 1 }
p h.size, h["a"]
# => 2
# => 1

# Other threads change the key meanwhile.
key = Sub.new("aa")
h = {key => 1}
writer = Thread.new { 3000.times { key.replace("bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" * 5); key.replace("aa") } }
seen = []
seen << h["aa"] << h[Sub.new("aa")] while writer.alive?
p writer.join.status, (seen - [1, nil]).size, h["aa"]
# => false
# => 0
# => 1
