# A method that takes the place of one that CRuby's interpreter takes for known: `Warning[:performance]` tells.
# stderr: redefinition_warning.rb:8: warning: Redefining 'Integer#+' disables interpreter and JIT optimizations
# stderr: redefinition_warning.rb:16: warning: Redefining 'Array#max' disables interpreter and JIT optimizations
# parallel: no, every thread would warn
Warning[:performance] = true
class Integer
  alias plus +
  def +(other) = plus(other)

  def harmless = 1
end

puts 1 + 2 # => 3

class Array
  def max = 7
end

puts [1].max # => 7
