# Symbol#name gives one frozen String for a name, in all threads, until nobody holds it.
name = :some_symbol.name
p name, name.frozen?
# => "some_symbol"
# => true
p name.equal?(:some_symbol.name)
# => true
p name.equal?(-"some_symbol".encode("US-ASCII"))
# => true
p :"ä".name.encoding, :abc.name.encoding
# => #<Encoding:UTF-8>
# => #<Encoding:US-ASCII>

# More names than are found without a lock: each keeps its own.
symbols = (0...(GC.stress ? 20 : 3000)).map { |i| :"name_#{i}" }
names = symbols.map(&:name)
p symbols.each_with_index.all? { |s, i| s.name.equal?(names[i]) && s.name == "name_#{i}" }
# => true

# Dead names are forgotten, and made again.
names = nil
GC.start
p symbols.all? { |s| s.name == s.to_s && s.name.frozen? }
# => true

threads = 4.times.map { Thread.new { (GC.stress ? 2 : 20).times.map { symbols.map { |s| s.name } } } }
lists = threads.flat_map(&:value)
p lists.all? { |list| list.zip(lists[0]).all? { |a, b| a.equal?(b) } }
# => true
