# Corners that generated programs found.
p((1..5).include?(1..2)) # => false
p((..5).include?(..2)) # => false
p((1..5).cover?(1..2)) # => true
begin
  (1..).bsearch { |x| [x] }
rescue TypeError => e
  puts e.message # => wrong argument type Array (must be numeric, true, false or nil)
end
