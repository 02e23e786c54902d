# OpenSSL::ASN1: encoding and decoding, mistakes in what is read, names of object identifiers.
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
include OpenSSL::ASN1

def hex(value) = value.to_der.unpack1("H*")

def failure
  yield
rescue => e
  "#{e.class}: #{e.message}"
end

def decode_hex(digits) = OpenSSL::ASN1.decode([digits].pack("H*"))

class Hash
  # What the classes are made with may not be what a program redefines.
  def fetch(*) = raise("not this one")
end

p hex(OpenSSL::ASN1::Integer.new(-129)), hex(OpenSSL::ASN1::Integer.new(2**64)) # => "0202ff7f"
# => "0209010000000000000000"
p decode_hex("0202ff7f").value.to_i, decode_hex("0a0180").value.to_i # => -129
# => -128
p hex(Sequence([Null(nil), OctetString("ab", 1, :EXPLICIT), PrintableString("c", 2, :IMPLICIT)])) # => "300b0500a10404026162820163"
bits = BitString("\xff".b)
bits.unused_bits = 3
p hex(bits), decode_hex("030203ff").value, decode_hex("030203ff").unused_bits # => "030203f8"
# => "\xF8"
# => 3
p hex(UTCTime(Time.utc(1950))), hex(GeneralizedTime(Time.utc(2050))) # => "170d3530303130313030303030305a"
# => "180f32303530303130313030303030305a"
p decode_hex("1711" + "500908234339+0930".unpack1("H*")).value # => 1950-09-08 14:13:39 UTC
p decode_hex("30800500a08001010000000000").to_der.unpack1("H*") # => "30800500a08001010000000000"
p hex(ASN1Data.new("x", 8224, :APPLICATION)) # => "5fc0200178"

p ObjectId("CN").oid, ObjectId("2.5.4.3").sn, ObjectId("2.5.4.3").ln, ObjectId("1.2.3.4").sn # => "2.5.4.3"
# => "CN"
# => "commonName"
# => nil
p ObjectId("2.5.29.35") == ObjectId("X509v3 Authority Key Identifier") # => true
p ObjectId.register("1.2.840.99999.1", "testShort", "test long") # => true
p ObjectId("test long").oid, ObjectId("1.2.840.99999.1").sn, decode_hex(hex(ObjectId("testShort"))).value # => "1.2.840.99999.1"
# => "testShort"
# => "testShort"
p failure { ObjectId.register("1.2.840.99999.2", "testShort", "other") } # => "OpenSSL::ASN1::ASN1Error: oid exists"
p failure { ObjectId.register("1.2.840.99999.2", "CN", "other") } # => "OpenSSL::ASN1::ASN1Error: oid exists"
name = OpenSSL::X509::Name.new([["testShort", "x"]])
p name.to_a, OpenSSL::X509::Name.new(name.to_der).to_a # => [["testShort", "x", 12]]
# => [["testShort", "x", 12]]

# Tag, length, content: each may be wrong.
%w[00 0101 0284ffffffff01 0288ffffffffffffffff 0480 0202007f 0200 0300 03020800 050100 0100 060180 3003020201 30800101ff 05000500
   1703414141 9fffffffffff7f00].each { |digits| puts failure { decode_hex(digits) } }
# => OpenSSL::ASN1::ASN1Error: header too long
# => OpenSSL::ASN1::ASN1Error: too long
# => OpenSSL::ASN1::ASN1Error: too long
# => OpenSSL::ASN1::ASN1Error: header too long
# => OpenSSL::ASN1::ASN1Error: header too long
# => OpenSSL::ASN1::ASN1Error: illegal padding
# => OpenSSL::ASN1::ASN1Error: illegal zero content
# => OpenSSL::ASN1::ASN1Error: string too short
# => OpenSSL::ASN1::ASN1Error: invalid bit string bits left
# => OpenSSL::ASN1::ASN1Error: null is wrong length
# => OpenSSL::ASN1::ASN1Error: invalid length for BOOLEAN
# => OpenSSL::ASN1::ASN1Error: d2i_ASN1_OBJECT: invalid object encoding
# => OpenSSL::ASN1::ASN1Error: too long
# => OpenSSL::ASN1::ASN1Error: EOC missing in indefinite length encoding
# => OpenSSL::ASN1::ASN1Error: Type mismatch. Total bytes read: 2 Bytes available: 4 Offset: 2
# => OpenSSL::ASN1::ASN1Error: ASN1_TIME_to_tm
# => OpenSSL::ASN1::ASN1Error: header too long
p failure { OpenSSL::ASN1.decode("\x30\x80".b * 100_000) } # => "OpenSSL::ASN1::ASN1Error: nested too deeply"
p OpenSSL::ASN1.decode("\x30\x80".b * 900 + "\0".b * 1800).to_der.bytesize # => 3600
p failure { decode_hex("0683010000" + "81" * 65_535 + "01") } # => "OpenSSL::OpenSSLError: OBJ_obj2txt"
p failure { ObjectId("1." + "2" * 1_000_000).oid.size }.size # => 97

# Other values than there are.
p failure { OpenSSL::ASN1.decode(nil) } # => "TypeError: no implicit conversion of nil into String"
p failure { OpenSSL::ASN1::Integer.new("1").to_der } # => "TypeError: Cannot convert into OpenSSL::BN"
p failure { ASN1Data.new("", 2**31, :PRIVATE).to_der } # => "RangeError: integer 2147483648 too big to convert to 'int'"
p failure { ASN1Data.new("", -1, :PRIVATE).to_der } # => "OpenSSL::ASN1::ASN1Error: invalid tag number"
p failure { Sequence.allocate.to_der } # => "OpenSSL::ASN1::ASN1Error: tag number not specified"
p failure { UTCTime(Time.utc(2050)).to_der } # => "OpenSSL::ASN1::ASN1Error: time out of range"
p failure { UTCTime(2**60).to_der } # => "RangeError: integer 13343998895912 too big to convert to 'int'"

steps = []
OpenSSL::ASN1.traverse(Sequence([Null(nil)]).to_der) { |depth, offset, header, length, constructed, tag_class, tag| steps << [depth, offset, header, length, constructed, tag_class, tag] }
p steps # => [[0, 0, 2, 2, true, :UNIVERSAL, 16], [1, 2, 2, 0, false, :UNIVERSAL, 5]]
p OpenSSL::ASN1.decode_all("\x05\x00\x01\x01\xff".b).map(&:value) # => [nil, true]
