# What compiled code takes from the caches of lookups is asked anew when it changes.
class Plain
  def here = 1
  private def hidden = 2
end
class Missing
  def respond_to_missing?(name, all) = name == :dynamic
end
TIMES = GC.stress ? 20 : 3000

def answers(object, names) = names.map { |name| object.respond_to?(name) }
NAMES = %i[here hidden there dynamic]
TIMES.times { answers(Plain.new, NAMES) && answers(Missing.new, NAMES) }
p answers(Plain.new, NAMES) # => [true, false, false, false]
p answers(Missing.new, NAMES) # => [false, false, false, true]
class Plain
  def there = 3
  public :hidden
  undef here
end
p answers(Plain.new, NAMES) # => [false, true, true, false]
class Plain
  def respond_to_missing?(name, all) = name == :dynamic
end
p answers(Plain.new, NAMES) # => [false, true, true, true]
one = Plain.new
def one.here = 1
p answers(one, NAMES) # => [true, true, true, true]
p Plain.new.respond_to?("there") # => true
p [5.respond_to?(:puts), 5.respond_to?(:puts, true)] # => [false, true]
class Plain
  def respond_to?(name, all = false) = false
end
p answers(Plain.new, NAMES) # => [false, false, false, false]

module Refined
  refine(Plain) { def refined = 1 }
end
using Refined
def refined?(object) = object.respond_to?(:refined)
p [Array.new(TIMES) { refined?(Missing.new) }.uniq, refined?(Plain.allocate)] # => [[false], false]

def instance?(object, of) = object.instance_of?(of)
TIMES.times { instance?(1, Integer) }
one.singleton_class.include(Comparable)
p [instance?(one, Plain), instance?(one, Object), instance?(one, Comparable), instance?(nil, NilClass)]
# => [true, false, false, true]
begin
  instance?(1, 2)
rescue TypeError => e
  p e.message # => "class or module required"
end

class Variables
  def initialize = (@a, @b = 1, nil)
end
def variable(object, name) = object.instance_variable_get(name)
TIMES.times { variable(Variables.new, :@a) }
p %i[@a @b @c].map { |name| variable(Variables.new, name) } # => [1, nil, nil]
p variable(Variables.new, "@a") # => 1
%i[a @@a @1].each do |name|
  variable(Variables.new, name)
rescue NameError => e
  puts e.message
end
# => 'a' is not allowed as an instance variable name
# => '@@a' is not allowed as an instance variable name
# => '@1' is not allowed as an instance variable name
p [Plain.name.equal?(Plain.name), Plain.name.frozen?, Plain.name.encoding] # => [true, true, #<Encoding:US-ASCII>]
p [Class.new.name, Plain.singleton_class.name] # => [nil, nil]
