# Methods that want another kind of object say so of one that has no methods at all, not even `class` and `respond_to?`.
def e
  yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

bare = BasicObject.new
e { [bare].to_h } # => TypeError: wrong element type BasicObject at 0 (expected array)
e { [1].zip(bare) } # => TypeError: wrong argument type BasicObject (must respond to :each)
e { [1].lazy.zip(bare) } # => TypeError: wrong argument type BasicObject (must respond to :each)
e { [1].product(bare) } # => TypeError: no implicit conversion of BasicObject into Array
e { [bare].transpose } # => TypeError: no implicit conversion of BasicObject into Array
e { [1].concat(bare) } # => TypeError: no implicit conversion of BasicObject into Array
e { {}.merge(bare) } # => TypeError: no implicit conversion of BasicObject into Hash
e { Hash[[bare]] } # => ArgumentError: wrong element type BasicObject at 0 (expected array)
e { {a: bare}.dig(:a, 1) } # => TypeError: BasicObject does not have #dig method
e { [bare].dig(0, 1) } # => TypeError: BasicObject does not have #dig method
e { Struct.new(bare) } # => TypeError: no implicit conversion of BasicObject into String
e { Struct.new(:a).new(bare).dig(:a, 1) } # => TypeError: BasicObject does not have #dig method
e { Struct.new(:a).new(1).deconstruct_keys(bare) } # => TypeError: wrong argument type BasicObject (expected Array or nil)
e { Data.define(:a).new(1).deconstruct_keys(bare) } # => TypeError: wrong argument type BasicObject (expected Array or nil)
e { Set.new(bare) } # => ArgumentError: value must be enumerable
e { Enumerator.new(bare) {} } # => TypeError: no implicit conversion of BasicObject into Integer
e { Rational(bare) } # => TypeError: can't convert BasicObject into Rational
e { Complex(bare) } # => TypeError: can't convert BasicObject into Complex
e { 1.clamp(bare) } # => TypeError: wrong argument type BasicObject (expected Range)
e { ENV.key(bare) } # => TypeError: no implicit conversion of BasicObject into String
e { Process.kill(bare, 0) } # => ArgumentError: bad signal type BasicObject
e { Process.getpgid(bare) } # => TypeError: no implicit conversion of BasicObject into Integer
e { system(bare) } # => TypeError: no implicit conversion of BasicObject into String
e { Dir.open(bare) } # => TypeError: no implicit conversion of BasicObject into String
e { IO.copy_stream(__FILE__, IO::NULL, bare) } # => TypeError: no implicit conversion of BasicObject into Integer
e { warn("a", category: bare) } # => TypeError: no implicit conversion of BasicObject into Symbol
p Struct.new(:a).new(1) == bare # => false
p 1.eql?(bare), ENV.value?(bare) # => false
# => nil
