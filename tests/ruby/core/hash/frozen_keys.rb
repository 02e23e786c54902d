# Frozen keys that are new are added at once, but not while the Hash is walked over, nor to a frozen one.
table = { "a" => 1 }
key = "b".freeze
table[key] = 2
p table.keys[1].equal?(key), table # => true
# => {"a" => 1, "b" => 2}
100.times { |i| table["k#{i}".freeze] = i }
p table.size, table["k57"] # => 102
# => 57
begin
  table.each { table["new".freeze] = 1 }
rescue => e
  puts e.message # => can't add a new key into hash during iteration
end
begin
  table.freeze["other".freeze] = 1
rescue => e
  p e.class # => FrozenError
end
