# String literals: interpolation, escapes, percent forms, heredocs, adjacency.
name = "world"
puts "hello #{name.upcase} #{1 + 1} #{"nested #{name}"}" # => hello WORLD 2 nested world
puts 'no #{interpolation} \n here' # => no #{interpolation} \n here
puts "tab\tquote\" backslash\\ unicode \u00e9 \u{1F600 41} hex \x41 octal \101"
# => tab	quote" backslash\ unicode é 😀A hex A octal A
p "a" "b" 'c' # => "abc"
p %w[a b#{1} c], %W[a b#{1} c], %i[x y], %I[x#{2} y]
# => ["a", "b\#{1}", "c"]
# => ["a", "b1", "c"]
# => [:x, :y]
# => [:x2, :y]
p %q(single 'quoted' (nested)), %Q(double "quoted" #{1}), %(plain)
# => "single 'quoted' (nested)"
# => "double \"quoted\" 1"
# => "plain"
p ?a, ?\n
# => "a"
# => "\n"
p :"quoted symbol", :"inter#{1}", %s(sym)
# => :"quoted symbol"
# => :inter1
# => :sym

text = <<~HEREDOC
  indented
    more
  #{name} and \t tab

  last
HEREDOC
puts text
# => indented
# =>   more
# => world and 	 tab
# =>
# => last
raw = <<~'RAW'
  no #{interpolation} \t
RAW
puts raw # => no #{interpolation} \t
dash = <<-DASH
    kept
    DASH
p dash # => "    kept\n"
def two(a, b) = p(a, b)
# => "first\n"
# => "second\n"
two(<<~A, <<~B)
  first
A
  second
B
p <<~X.lines.map(&:chomp) # => ["one", "two"]
  one
  two
X
continued = "line one \
line two"
p continued # => "line one line two"
p <<~EMPTY # => ""
EMPTY

@ivar = 1
$gvar = 2
puts "#@ivar #$gvar" # => 1 2
p "#{}" "#{nil}" # => ""
p "a#{:sym}#{1.5}#{[1, nil]}" # => "asym1.5[1, nil]"
class Custom
  def to_s = "custom"
end
p "#{Custom.new}" # => "custom"
p 'it''s', 'a\'b\\c'
# => "its"
# => "a'b\\c"
p "\e\a\b\0".bytes # => [27, 7, 8, 0]
p "\C-a".bytes, "\M-a".b.bytes
# => [1]
# => [225]
p "%d%%" % 5 # => "5%"
p __FILE__.end_with?("strings_literals.rb"), __LINE__.class
# => true
# => Integer
p "é".bytes, "é".length, "\xff".valid_encoding?
# => [195, 169]
# => 1
# => false
joined = "a\
b"
p joined # => "ab"
