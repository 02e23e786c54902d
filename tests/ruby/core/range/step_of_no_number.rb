# A step that is no number is added to the beginning, which a number refuses.
def message = yield rescue "#{$!.class}: #{$!.message}"
p (1..2).step(3..4) # => #<Enumerator: 1..2:step(3..4)>
p (1..2) % (3..4) # => #<Enumerator: 1..2:%(3..4)>
puts message { (1..2).step(3..4) {} } # => TypeError: Range can't be coerced into Integer
puts message { ((1..2) % (3..4)).first } # => TypeError: Range can't be coerced into Integer
puts message { (1..2).step("a") {} } # => TypeError: String can't be coerced into Integer
puts message { (1.0..2.0).step("x") {} } # => TypeError: String can't be coerced into Float
puts message { (1..).step(3..4) {} } # => TypeError: Range can't be coerced into Integer
p (("a".."aaa") % "a").to_a # => ["a", "aa", "aaa"]
p ((1..7) % 3).to_a # => [1, 4, 7]
