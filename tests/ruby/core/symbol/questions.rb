# Asking whether something has a name makes no Symbol of it that stays, and answers as if it did.
names = (1..3).map { |i| "never_#{"asked"}_#{i}" }
object = Object.new
p names.map { |n| Object.method_defined?(n) }, names.map { |n| object.respond_to?(n) } # => [false, false, false]
# => [false, false, false]
p names.map { |n| object.instance_variable_defined?("@#{n}") }, names.map { |n| object.instance_variable_get("@#{n}") } # => [false, false, false]
# => [nil, nil, nil]
p names.map { |n| Object.const_defined?("N#{n}") }, Object.const_defined?("N#{names[0]}::Never::#{names[1].capitalize}") # => [false, false, false]
# => false
p names.map { |n| Object.public_method_defined?(n.to_sym) }, names.map { |n| object.respond_to?(n.to_sym, true) } # => [false, false, false]
# => [false, false, false]
p names.map { |n| Object.private_method_defined?(n, false) } # => [false, false, false]
# Nothing that lies on this stack holds one of them any more.
Thread.new { 2.times { GC.start } }.join
p Symbol.all_symbols.count { |s| s.name.include?("never_" + "asked") } # => 0

# What there is is found by Strings and by Symbols that are made later.
object.instance_variable_set("@there_" + "is", 1)
def object.there_is = 2
NEVER_IS = Module.new
NEVER_IS::PART = 3
p object.instance_variable_defined?("@there_is"), object.instance_variable_get("@there_is"), object.respond_to?("there_" + "is") # => true
# => 1
# => true
p Object.const_defined?("NEVER_IS::PART"), Object.const_defined?("::NEVER_IS::PART"), Object.const_defined?("NEVER_IS::NOTHING_" + "LIKE") # => true
# => true
# => false
p object.singleton_class.method_defined?("there_is"), String.method_defined?(:upcase, false), String.method_defined?("object_id", false) # => true
# => true
# => false

# respond_to_missing? is asked with a Symbol.
class Asks
  def respond_to_missing?(name, all) = name.is_a?(Symbol) && name.end_with?("?") && all
end
p Asks.new.respond_to?("who" + "ever?", true), Asks.new.respond_to?("whoever", true), Asks.new.respond_to?(:"who_#{1}?", false) # => true
# => false
# => false

# What is no name is refused as ever.
def error = (yield; nil) rescue "#{$!.class}: #{$!.message}"
puts error { object.instance_variable_defined?("never_" + "at") } # => NameError: 'never_at' is not allowed as an instance variable name
puts error { Object.const_defined?("never_" + "big") } # => NameError: wrong constant name never_big
p Object.const_defined?("Never_" + "x::small_" + "y") # => false
puts error { Object.const_defined?("NEVER_IS::small_" + "y") } # => NameError: wrong constant name small_y
puts error { Object.method_defined?(1) } # => TypeError: 1 is not a symbol nor a string
puts error { object.respond_to?(nil) } # => TypeError: nil is not a symbol nor a string
