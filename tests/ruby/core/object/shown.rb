# How objects are shown: the encoding of the text, and variables of core objects that no program sees.
require "stringio"

class Plain; attr_accessor :a; end
class Käse; end

p Object.new.to_s.encoding # => #<Encoding:BINARY (ASCII-8BIT)>
p Plain.new.inspect.encoding # => #<Encoding:BINARY (ASCII-8BIT)>
p Käse.new.to_s.encoding # => #<Encoding:UTF-8>
object = Plain.new
object.a = "é"
p object.inspect.encoding # => #<Encoding:UTF-8>
p "#{Object.new}é".encoding # => #<Encoding:UTF-8>

class Named < StringIO
  def initialize(text)
    super
    @pos = @string = @encoding = :mine
  end

end
io = Named.new("abc")
p io.read # => "abc"
p io.instance_variables # => [:@encoding, :@string, :@pos]
p io.dup.tap(&:rewind).read # => "abc"
io.lineno = 5
p io.lineno # => 5
p Dir.new("/").instance_variables # => []
Marshal.dump(Dir.new("/")) rescue puts "#{$!.class}: #{$!.message}" # => TypeError: no _dump_data is defined for class Dir
