# Array#pack and String#unpack.

def e; p yield; rescue NotImplementedError, StandardError => x; p [x.class, x.message]; end
s = "hello world"
e { [1,2,3].pack("C*") } # => "\x01\x02\x03"
e { [65, 66].pack("U*") } # => "AB"
e { ["abc"].pack("m") } # => "YWJj\n"
e { "YWJj\n".unpack1("m") } # => "abc"
e { "abc".unpack("C*") } # => [97, 98, 99]
e { [1].pack("N") } # => "\x00\x00\x00\x01"
e { "\x00\x00\x00\x01".unpack("N") } # => [1]
e { ["abc", "de"].pack("A5A5") } # => "abc  de   "
e { [1.5].pack("E").unpack1("E") } # => 1.5
e { [].pack("C") } # => [ArgumentError, "too few arguments"]
e { ["a"].pack("C") } # => [TypeError, "no implicit conversion of String into Integer"]
e { [1,2].pack("s>l<") } # => "\x00\x01\x02\x00\x00\x00"
e { ["616263"].pack("H*") } # => "abc"
e { "abc".unpack("a1 x1 a1") } # => ["a", "c"]
e { [1].pack("C", buffer: +"ab") } # => "ab\u0001"
e { "abcd".unpack1("C", offset: 2) } # => 99
e { "\u3042\u3044".unpack("U*") } # => [12354, 12356]
