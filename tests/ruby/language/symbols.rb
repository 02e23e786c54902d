# Symbols: identity, literals, conversion and use as procs.
p :a.equal?(:a), :a.object_id == "a".to_sym.object_id, :a == "a"
# => true
# => true
# => false
p :a, :"a b", :a?, :b!, :c=, :[], :[]=, :+, :<=>, :!, :"9a", :"", :A, :@iv, :@@cv, :$g, :"foo-bar"
# => :a
# => :"a b"
# => :a?
# => :b!
# => :c=
# => :[]
# => :[]=
# => :+
# => :<=>
# => :!
# => :"9a"
# => :""
# => :A
# => :@iv
# => :@@cv
# => :$g
# => :"foo-bar"
p :abc.to_s, :abc.length, :abc.upcase, :abc <=> :abd, :abc[1], :abc.succ
# => "abc"
# => 3
# => :ABC
# => -1
# => "b"
# => :abd
p %w[x y].map(&:to_sym), %i[b a].sort, [:b, :a].max
# => [:x, :y]
# => [:a, :b]
# => :b
p :upcase.to_proc.call("abc"), :+.to_proc.call(1, 2), %w[apple fig].sort_by(&:size)
# => "ABC"
# => 3
# => ["fig", "apple"]
p [[1, 2], [3]].map(&:size), [1, 2, 3].each_slice(2).map(&:sum)
# => [2, 1]
# => [3, 3]
p :a.to_proc.lambda?, :a.to_proc.arity
# => true
# => -2
p :sym.frozen?, :sym.dup.equal?(:sym), :sym.inspect, :sym.to_sym
# => true
# => true
# => ":sym"
# => :sym
p "Hello World".to_sym, "snake_case".intern, :"a\nb"
# => :"Hello World"
# => :snake_case
# => :"a\nb"
p :a.start_with?("a"), :abc.end_with?("c"), :abc =~ /b/, :abc.match?(/c/), :a.empty?
# => true
# => true
# => 1
# => true
# => false
begin
  :a.unknown
rescue NoMethodError => e
  p e.name, e.receiver
  # => :unknown
  # => :a
end
begin
  :a.instance_variable_set(:@x, 1)
rescue FrozenError => e
  puts e.message # => can't modify frozen Symbol: :a
end
h = { a: 1, "b": 2, "c d": 3 }
p h.keys, h[:"c d"]
# => [:a, :b, :"c d"]
# => 3
case :x
when :y then p 1
when :x then p 2 # => 2
end
p [:a, "a"].map(&:to_s).uniq, :a.hash == :a.hash, :a.eql?(:a)
# => ["a"]
# => true
# => true
p %i[a b].include?(:b), :abc.swapcase, :Abc.capitalize, :a.size
# => true
# => :ABC
# => :Abc
# => 1
def returns_symbol = :returned
p (def nothing; end), returns_symbol
# => :nothing
# => :returned
p :é.length, :é.encoding.to_s, :a.encoding.to_s
# => 1
# => "UTF-8"
# => "US-ASCII"
p Symbol === :a, :a.is_a?(Comparable), :b.between?(:a, :c)
# => true
# => true
# => true
