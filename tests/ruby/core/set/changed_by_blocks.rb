# What a block does to the Set or Hash that it is called for.
def try
  yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

try { s = Set[1, 2]; s.each { s << 3 } }
# => RuntimeError: can't add a new item into set during iteration
try { s = Set[1, 2]; s.sum { s.add(5) ; 1 } }
# => RuntimeError: can't add a new item into set during iteration
try { s = Set[1, 2]; s.map { s.merge([1]) } }
# => RuntimeError: cannot add to set during iteration
s = Set[1, 2]
p s.each { s << 1 << 2 }
# => Set[1, 2]
try { s.delete_if { s.freeze } }
# => FrozenError: can't modify frozen Set: Set[1, 2]
s = Set[1, 2]
try { s.select! { s.freeze; false } }
# => FrozenError: can't modify frozen Set: Set[1, 2]
s = Set["a", "b"]
p s.select! { true }, s.reject! { false }, s.select! { |v| v == "a" }
# => nil
# => nil
# => Set["a"]
p s.reject! { |v| v == "a" }
# => Set[]

# A block that deletes itself has changed it.
s = Set[1, 2]
p s.select! { s.clear; true }
# => Set[]
h = {a: 1, b: 2}
p h.select! { h.delete(:b); true }, h.reject! { h.clear; false }, h.reject! { false }
# => {}
# => {}
# => nil

try { {a: 1}.to_h { true } }
# => TypeError: wrong element type true (expected array)
try { {a: 1}.to_h { 1 } }
# => TypeError: wrong element type Integer (expected array)
try { [nil].to_h }
# => TypeError: wrong element type NilClass at 0 (expected array)
