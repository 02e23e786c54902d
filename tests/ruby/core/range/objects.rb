# Ranges of what is no Range of numbers: texts by to_str, ends that compare with nothing.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

like = Object.new
def like.to_str = "a"
def like.<=>(other) = to_str <=> other
t { (like.."c").to_a } # => ["a", "b", "c"]
t { (like..).first(3) } # => ["a", "b", "c"]
t { (1..).overlap?("a"..) } # => false
t { (..1).overlap?(.."a") } # => false
t { (1..3).overlap?("a".."d") } # => false
t { [(0..).overlap?(1..), (..0).overlap?(..1), (1...1).overlap?(1..1), (0...2).overlap?(2..), (0..2).overlap?(2...2)] } # => [true, true, false, false, false]
t { [(1..2).overlap?(3..1), (3..1).overlap?(1..2), (nil..nil).overlap?(3..)] } # => [false, false, true]
failing = Object.new
def failing.<=>(other) = raise("cmp")
t { failing..3 } # => RuntimeError: cmp
t { Range.new(failing, 3) } # => RuntimeError: cmp
