# Arguments and parameters of all kinds, and the errors.
# args: -W0
# parallel: no, it defines methods of main
def all(a, b = a + 1, *c, d, e:, f: e, **g, &h) = [a, b, c, d, e, f, g, h&.call]
p(all(1, 2, e: 3)) # => [1, 2, [], 2, 3, 3, {}, nil]
p(all(1, 2, 3, e: 4)) # => [1, 2, [], 3, 4, 4, {}, nil]
p(all(1, 2, 3, 4, 5, e: 6, f: 7, z: 8) { 9 }) # => [1, 2, [3, 4], 5, 6, 7, {z: 8}, 9]
p(method(:all).parameters) # => [[:req, :a], [:opt, :b], [:rest, :c], [:req, :d], [:keyreq, :e], [:key, :f], [:keyrest, :g], [:block, :h]]
p(method(:all).arity) # => -4
def forward(...) = all(...)
p forward(1, 2, e: 0) { :blk } # => [1, 2, [], 2, 0, 0, {}, :blk]
def anonymous(*, **, &) = all(*, **, &)
p anonymous(1, 2, 3, e: 4, y: 5) { 6 } # => [1, 2, [], 3, 4, 4, {y: 5}, 6]
def lead(x, ...) = all(x, ...)
p lead(1, 2, e: 3) # => [1, 2, [], 2, 3, 3, {}, nil]
def no_keywords(a, **nil) = a
p (no_keywords(1, b: 2) rescue $!.message) # => "no keywords accepted"
p no_keywords({ b: 2 }) # => {b: 2}
def optional(a, b = (return :early if a; 1))
  [a, b]
end
p(optional(1)) # => :early
p(optional(1, 2)) # => [1, 2]
p(optional(nil)) # => [nil, 1]
def post((a, (b, *c)), d) = [a, b, c, d]
p(post([1, [2, 3, 4]], 5)) # => [1, 2, [3, 4], 5]
p(post(1, 2)) # => [1, nil, [], 2]
p(method(:post).parameters) # => [[:req], [:req, :d]]
[
  -> { all }, -> { all(1) }, -> { all(1, 2) }, -> { no_keywords }, -> { no_keywords(1, 2) },
  -> { def two(a, b:, c:) = 0; two(1) }, -> { two(1, b: 1, c: 2, d: 3, "e" => 4) }, -> { two(b: 1, c: 1) },
  -> { ->(x) {}.call }, -> { ->(x, y = 1) {}.call(1, 2, 3) }, -> { [].first(1, 2) }, -> { all(*[1, 2], **{ e: 1, g: 2 }); two(1, **{}) },
].each { |l| (l.call; p :fine) rescue puts $!.message }
# => wrong number of arguments (given 0, expected 2+; required keyword: e)
# => wrong number of arguments (given 1, expected 2+; required keyword: e)
# => missing keyword: :e
# => wrong number of arguments (given 0, expected 1)
# => wrong number of arguments (given 2, expected 1)
# => missing keywords: :b, :c
# => unknown keywords: :d, "e"
# => wrong number of arguments (given 0, expected 1; required keywords: b, c)
# => wrong number of arguments (given 0, expected 1)
# => wrong number of arguments (given 3, expected 1..2)
# => wrong number of arguments (given 2, expected 0..1)
# => missing keywords: :b, :c
def hash_or_keywords(a = nil, **kw) = [a, kw]
p(hash_or_keywords({ x: 1 })) # => [{x: 1}, {}]
p(hash_or_keywords(x: 1)) # => [nil, {x: 1}]
p(hash_or_keywords(**{ "s" => 1 })) # => [nil, {"s" => 1}]
p(hash_or_keywords({ x: 1 }, **{})) # => [{x: 1}, {}]
x = 1
y = 2
p({ x:, y: }) # => {x: 1, y: 2}
def shorthand(x:, y:) = x + y
p shorthand(x:, y:) # => 3
p([[1, [2, 3]]].map { |a, (b, c)| a + b + c }) # => [6]
p([[1, 2, 3]].map { |a, | a }) # => [1]
p([[1, 2]].map { |a, b = 5, *c, d| [a, b, c, d] }) # => [[1, 5, [], 2]]
p(proc { |a, b| [a, b] }.call(1)) # => [1, nil]
p(proc { |a, b| [a, b] }.call([1, 2, 3])) # => [1, 2]
p(lambda { |a, b = 2| [a, b] }.call(1)) # => [1, 2]
p(proc { |a, k: 1| [a, k] }.call([1, 2])) # => [[1, 2], 1]
p(proc { |a, **k| [a, k] }.call([1, { b: 2 }])) # => [[1, {b: 2}], {}]
p([1, 2, 3].each_with_index.map { _1 * _2 }) # => [0, 2, 6]
p([1, 2].map { it + 1 }) # => [2, 3]
p([[1, 2]].map { it }) # => [[1, 2]]
p([[1, 2]].map { _1 }) # => [[1, 2]]
p(proc { it }.arity) # => 1
p(proc { _1 }.arity) # => 1
p(proc { _2 }.arity) # => 2
p(lambda { it }.arity) # => 1
p(lambda { _2 }.arity) # => 2
p(proc { |a, b = 1, *c| }.arity) # => -2
p(proc { |(a, b), c| }.parameters) # => [[:opt], [:opt, :c]]
def rest_middle(a, *b, c) = [a, b, c]
p(rest_middle(1, 2)) # => [1, [], 2]
p(rest_middle(1, 2, 3, 4)) # => [1, [2, 3], 4]
p(rest_middle(*[1], *[2, 3], 4)) # => [1, [2, 3], 4]
p(rest_middle(*nil, 1, *2..4)) # => [1, [2, 3], 4]
def block_arg(&b) = b
p(block_arg) # => nil
p(block_arg(&:upcase).call("x")) # => "X"
p(block_arg(&method(:shorthand)).call(x: 1, y: 2)) # => 3
p(block_arg(&nil)) # => nil
p (block_arg(&3) rescue $!.message) # => "no implicit conversion of Integer into Proc"
def order(*a, **k) = [a, k]
log = []
order((log << 1; 1), k: (log << 2; 2), **(log << 3; {}), &(log << 4; nil))
p log # => [1, 2, 3, 4]
def ruby2(*args) = order(*args)
self.class.send(:ruby2_keywords, :ruby2)
p(ruby2(1, a: 2)) # => [[1], {a: 2}]
p(ruby2({ a: 2 })) # => [[{a: 2}], {}]
def setter=(v)
  @v = v
  :ignored
end
p((self.setter = 5)) # => 5
p(send(:setter=, 6)) # => :ignored
a, (b, *c), *d, e = 1, [2, 3, 4], 5, 6, 7
p [a, b, c, d, e] # => [1, 2, [3, 4], [5, 6], 7]
a = *nil, *1, *[2], *{ k: 1 }
p a # => [1, 2, [:k, 1]]
*a, b = 1
p(a) # => []
p(b) # => 1
a, b = b, a
p(a) # => 1
p(b) # => []
o = Object.new
def o.inspect = "o"
def o.[]=(*args)
  p(args)
# => [1, 2, 3]
# => [4]
end
def o.to_ary = [7, 8]
o[1, 2], o[] = 3, 4
a, b = o
p(a) # => 7
p(b) # => 8
p((a, b = *o)) # => [o]
p((a, b = 1)) # => 1
