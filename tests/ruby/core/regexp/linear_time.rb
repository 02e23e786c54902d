# Regexp.linear_time?: CRuby decides it by the instructions that it makes of a pattern.
def linear(*sources) = sources.map { |source| Regexp.linear_time?(Regexp.new(source)) }

p linear("a*b", "(?:a|a)*$", "(a)\\1", "(?~a)", "(?<x>a\\g<x>?)") # => [true, true, false, false, false]
# Repeats that are not spelled out do not lie within others.
p linear("t{1,3}+", "[ab]{1,2}+", "[ab]{1,2}", "(?:[ab]{5,9})*") # => [true, false, true, false]
p Regexp.linear_time?(Regexp.new("t{1,3}+".encode("UTF-32BE"))) # => false
# What gives nothing back becomes atomic, and no atomic group lies within a look-around or another one.
p linear("(?=a*b)", "(?=a*a)", "(?!a+[bc])", "(?>a*b)", "(?=Bc*A)", "(?=.*b)") # => [false, true, false, false, true, true]
p linear("\\X\u00e9", "\\R\u00e9") # => [false, true]

# Patterns with many brackets, side by side, in classes and in comments, and nested.
many = (0..60).map { |i| "(?:[()\\]x]#{i}(a?))" }.join("|")
p Regexp.new(many).match("]60a").begin(0) # => 0
p Regexp.new("(" * 300 + "a" + ")" * 300).match("ba").size # => 301
p Regexp.new("#{"(?# ()" * 60}a", Regexp::EXTENDED).source.size # => 361
p Regexp.new("(?x)#{"( # ))) [\n" * 50}a#{")" * 50}").match?("a") # => true
p Regexp.new("[\\]a(]" * 50 + "(b)").match("]" * 50 + "b")[1] # => "b"

# Properties are shared by all patterns that name them; what is done to them in one changes no other.
p "aé1 ".scan(/\p{L}/), "aé1 ".scan(/[\p{L}&&[^a]]/), "aé1 ".scan(/\P{L}/), "aé1 ".scan(/[\p{L}1]/)
# => ["a", "é"]
# => ["é"]
# => ["1", " "]
# => ["a", "é", "1"]
p "aé1 ".scan(/[^\p{L}]/), "aé1 ".scan(/\p{^L}/), "Aé".scan(/\p{Lower}/i), "aé1 ".scan(/[[:alpha:]é]/)
# => ["1", " "]
# => ["1", " "]
# => ["A", "é"]
# => ["a", "é"]
