# Keyword parameters, required and optional, and double splats.
def keywords(a, b: 2, c:, **rest) = [a, b, c, rest.to_a]
p keywords(1, c: 3)
p keywords(1, c: 3, b: 4)
p keywords(1, c: 3, d: 5, "e": 6)

options = { c: 1, b: 2 }
p keywords(0, **options)
p keywords(0, **options, c: 9)
p keywords(0, b: 7, **options)

def failing
  yield
rescue ArgumentError => e
  puts e.message
end
def strict(a:, b: 1) = [a, b]
failing { strict }
failing { strict(a: 1, c: 2) }
failing { strict(a: 1, c: 2, d: 3) }
failing { strict({ a: 1 }) }

def last_hash(a, b = nil) = [a, b].inspect.size
p last_hash({})
def positional_hash(hash) = hash.keys
p positional_hash(a: 1, "b" => 2)

def both(*args, **kw) = [args.size, kw.size]
p both({ a: 1 }), both(a: 1), both(**{}), both({ "a" => 1 }, b: 2)

def no_keywords(*args, **nil) = args
failing { no_keywords(a: 1) }

b = 5
def shorthand(b:, c: b * 2) = [b, c]
p shorthand(b:)

def anonymous_splats(*, **, &) = [1].map(&)
p method(:keywords).parameters
p keywords(1, c: nil, if: 1, class: 2)

def mixed(a, b = 2, *c, d, e:, f: 6, **g, &h) = [a, b, c, d, e, f, g.keys, h&.call]
p mixed(1, 4, e: 5)
p mixed(1, 2, 3, 4, e: 5, z: 0) { :block }
p method(:mixed).arity

# => [1, 2, 3, []]
# => [1, 4, 3, []]
# => [1, 2, 3, [[:d, 5], [:e, 6]]]
# => [0, 2, 1, []]
# => [0, 2, 9, []]
# => [0, 2, 1, []]
# => missing keyword: :a
# => unknown keyword: :c
# => unknown keywords: :c, :d
# => wrong number of arguments (given 1, expected 0; required keyword: a)
# => 9
# => [:a, "b"]
# => [1, 0]
# => [0, 1]
# => [0, 0]
# => [1, 1]
# => no keywords accepted
# => [5, 10]
# => [[:req, :a], [:keyreq, :c], [:key, :b], [:keyrest, :rest]]
# => [1, 2, nil, [[:if, 1], [:class, 2]]]
# => [1, 2, [], 4, 5, 6, [], nil]
# => [1, 2, [3], 4, 5, 6, [:z], :block]
# => -4

# A Hash that ruby2_keywords has marked is keywords at the end of a splat only.
def takes_keywords(*rest, by: 0) = [rest, by]
def takes_optional(hash, _other = nil) = Hash.ruby2_keywords_hash?(hash)
ruby2_keywords def marks(*rest) = [takes_keywords(*rest), takes_keywords(rest[-1]), takes_optional(rest[-1])]
p marks(1, by: 2) # => [[[1], 2], [[{by: 2}], 0], true]
