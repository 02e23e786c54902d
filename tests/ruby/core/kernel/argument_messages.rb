# What CRuby says of wrong arguments where one would expect other words.
def message
  yield
rescue ArgumentError, TypeError, FloatDomainError => e
  e.message
end

# One that may be left out is needed all the same, in what is said.
puts message { [1].each_entry.find_index(1, 2) } # => wrong number of arguments (given 2, expected 1)
puts message { [].slice_before(1, 2) } # => wrong number of arguments (given 2, expected 1)
puts message { (1..2).first(1, 2) } # => wrong number of arguments (given 2, expected 1)
puts message { (1..2).last(1, 2) } # => wrong number of arguments (given 2, expected 1)
puts message { (1..2).min(1, 2) } # => wrong number of arguments (given 2, expected 1)
puts message { (1..2).max(1, 2) } # => wrong number of arguments (given 2, expected 1)
puts message { "".sub } # => wrong number of arguments (given 0, expected 2)
puts message { "".sub! } # => wrong number of arguments (given 0, expected 2)
puts message { "".sub!("a", "b", "c") } # => wrong number of arguments (given 3, expected 2)
puts message { [1].first(1, 2) } # => wrong number of arguments (given 2, expected 0..1)

puts message { [nil].pack("C") } # => no implicit conversion of nil into Integer
puts message { "abc".partition(:a) } # => wrong argument type Symbol (expected Regexp)
puts message { "abc".rpartition(nil) } # => wrong argument type nil (expected Regexp)
puts message { 1.clamp(true) } # => wrong argument type true (expected Range)
puts message { 1.clamp(nil) } # => wrong argument type nil (expected Range)
puts message { "".split([]) } # => wrong argument type Array (expected Regexp)

# Options of the methods that change case.
puts message { "a".upcase(:ascii, :turkic) } # => too many options
puts message { "a".upcase(:fold, :turkic) } # => too many options
puts message { "a".upcase(:fold) } # => option :fold only allowed for downcasing
puts message { "a".downcase(:turkic, :turkic) } # => invalid second option
puts message { "a".downcase(:lithuanian, :ascii) } # => invalid second option
puts message { "a".upcase(1, :ascii) } # => too many options
puts message { "a".upcase(:lithuanian, :turkic) } # => A

# Steps to and by what is no number.
nan = Float::NAN
puts message { 1.0.step(2.0, nan).size } # => NaN
puts message { 1.step(nan).size } # => NaN
puts message { Float::INFINITY.step(Float::INFINITY, 1.0).size } # => NaN
puts message { 1.0.step(2.0, nan).last } # => NaN
puts message { 1.0.step(2.0, nan).first } # => comparison of Float with 0 failed
puts message { 1.0.step(nan, 1.0).first } # => 1.0
p 1.0.step(2.0, nan).to_a # => []
p ((1...1) % 2).first # => 1
p ((1..0) % 2).first # => nil
