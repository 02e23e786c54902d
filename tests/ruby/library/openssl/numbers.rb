# OpenSSL::BN: arithmetic, its forms as Strings, and what others write to while it is read.
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

BN = OpenSSL::BN

def error
  yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

a, b = BN.new("123456789012345678901234567890"), BN.new("-ff", 16)
[a + b, a - 1, a * b, a % b, b % 7, a**3, a.sqr, a.gcd(30), a << 3, a >> 3, b >> 4, -a, +b, b.abs].each { |n| puts n.to_s }
# => 123456789012345678901234567635
# => 123456789012345678901234567889
# => -31481481198148148119814814811950
# => 240
# => -3
# => 1881676372353657772546716040589641726257477229849409426207693797722198701224860897069000
# => 15241578753238836750495351562536198787501905199875019052100
# => 30
# => 987654312098765431209876543120
# => 15432098626543209862654320986
# => -15
# => -123456789012345678901234567890
# => -255
# => 255
p (a / 1000).map(&:to_i) # => [123456789012345678901234567, 890]
p BN.new(3).mod_exp(200, 13).to_i # => 9
p BN.new(3).mod_inverse(7).to_i # => 5
p [BN.new(10).mod_add(5, 7), BN.new(10).mod_sub(5, 7), BN.new(10).mod_mul(5, 7), BN.new(10).mod_sqr(7)].map(&:to_i) # => [1, 5, 1, 2]
p BN.new(4).mod_sqrt(7).to_i.then { |n| n * n % 7 } # => 4
p [a.num_bits, a.num_bytes, a.bit_set?(1), a.odd?, b.negative?, BN.new(0).zero?, BN.new(1).one?]
# => [97, 13, true, false, true, true, true]
p [0, 2, 10, 16].map { |base| b.to_s(base) } # => ["\x00\x00\x00\x02\x80\xFF", "\xFF", "-255", "-FF"]
p [BN.new("\0\0\0\2\x80\xFF", 0), BN.new("\xFF", 2), BN.new(-2**70)].map(&:to_i) # => [-255, 255, -1180591620717411303424]
p [a <=> b, a == a.to_i, a.eql?(a.to_i), a.hash == a.dup.hash, b.ucmp(-255), a.coerce(1)[1] == a.to_i] # => [1, true, false, true, 0, true]
p [BN.new(101).prime?, BN.new(91).prime?] # => [true, false]
p BN.generate_prime(64, false).prime? # => true
p BN.rand(100, 1).num_bits # => 100
p (0...10).cover?(BN.rand_range(10).to_i) # => true
n = BN.new(0)
n.set_bit!(70)
n.lshift!(1)
n.rshift!(2)
n.set_bit!(0)
n.clear_bit!(69)
p n.mask_bits!(8).to_i # => 1
error { BN.new("1", 7) } # => ArgumentError: invalid radix 7
error { BN.new(1) / 0 } # => OpenSSL::BNError: div by zero
error { BN.new(1.5) } # => TypeError: no implicit conversion of Float into String
error { BN.new(1) + "x" } # => TypeError: Cannot convert into OpenSSL::BN
error { BN.new(4).mod_inverse(2) } # => OpenSSL::BNError: no inverse
