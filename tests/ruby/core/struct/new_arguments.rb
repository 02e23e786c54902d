# Which arguments of Struct.new are refused, and in which order they are looked at.
def t
  yield
rescue StandardError => e
  e.class
end

class Text; def initialize(s) = @s = s; def to_str = @s; end
# What is no String for a name is refused, whatever its to_str says.
p t { Struct.new(Text.new(3), :a) }
# => TypeError
p t { Struct.new(Text.new("a"), :b) }
# => NameError
# The members are looked at before the name, and all of them before any has no setter.
p t { Struct.new("a", :b, :b) }
# => ArgumentError
p t { Struct.new("a", 1) }
# => TypeError
p t { Struct.new(:+, :a=) }
# => ArgumentError
p t { Struct.new(:'', nil) }
# => TypeError
p t { Struct.new(:',') }
# => NameError
p t { Struct.new(:';', :a) }
# => NameError
p t { Struct.new(:_).members }
# => [:_]
p t { Struct.new("\xff", :a) }
# => NameError
p t { Struct.new(:A, 'ab'.encode('UTF-16LE').to_sym).members.size }
# => 2
