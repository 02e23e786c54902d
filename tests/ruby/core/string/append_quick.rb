# String#<< between Strings of all kinds: own, frozen, made by another thread, of subclasses, in other encodings

class Tag < String
  def <<(other) = super("<#{other}>")
end

s = +"a"
s << s << s
p s # => "aaaa"
s << "b".freeze << Tag.new("c") << Thread.new { +"d" }.value
p s # => "aaaabcd"
p Tag.new("x") << "y" # => "x<y>"

named = +"e"
named.instance_variable_set(:@name, 1)
p named << "f" << named # => "efef"
p s << 65 << 0x20ac # => "aaaabcdA€"

other = Thread.new { +"made elsewhere" }.value
other << " " << s << other.size.to_s
p other # => "made elsewhere aaaabcdA€24"

p "".b << "é" << "!".b # => "é!"
p ("".b << "é" << "\xff".b rescue $!.class) # => Encoding::CompatibilityError
p (+"x" << "y".encode("UTF-16LE") rescue $!.class) # => Encoding::CompatibilityError
p (+"x" << nil rescue $!.message) # => "no implicit conversion of nil into String"
p ("x".freeze << "y" rescue $!.message) # => "can't modify frozen String: \"x\""
p (s.freeze << s rescue $!.class) # => FrozenError

long = +""
piece = "0123456789" * 10
100.times { long << piece << long[0, 7] }
p long.size # => 10700
p long[-17..] # => "01234567890123456"
