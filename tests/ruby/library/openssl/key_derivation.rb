# Keys made of passwords: vectors of the standards, costs that are not allowed, and what takes too long ends when it is told to.
# parallel: no, it takes long, and starts threads of its own
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require "timeout"

def error
  yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

def hex(text) = text.unpack1("H*")

# RFC 6070, RFC 7914, RFC 5869
puts hex(OpenSSL::KDF.pbkdf2_hmac("password", salt: "salt", iterations: 2, length: 20, hash: "sha1"))
# => ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957
K = OpenSSL::KDF
puts hex(K.pbkdf2_hmac("pass\0word", salt: "sa\0lt", iterations: 4096, length: 16, hash: "sha1")) # => 56fa6aa75548099dcc37d7f03425e0c3
puts hex(K.pbkdf2_hmac("passwordPASSWORDpassword", salt: "saltSALTsaltSALTsaltSALTsaltSALTsalt", iterations: 4096, length: 25, hash: "sha1"))
# => 3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038
puts hex(K.pbkdf2_hmac("", salt: "", iterations: 1, length: 70, hash: OpenSSL::Digest.new("SHA256")))
# => f7ce0b653d2d72a4108cf5abe912ffdd777616dbbb27a70e8204f3ae2d0f6fad89f68f4811d1e87bcc3bd7400a9ffd29094f0184639574f39ae5a1315217bcd7894991447213
puts hex(K.pbkdf2_hmac("a" * 200, salt: "b" * 3000, iterations: 3, length: 130, hash: "sha512"))
# => 4b14344df310da7fb8a77ffdc01ddb9d01cd68c559f9622d6f952af7cfdb11d8d06dcbce283cb8dc9942d71bd4cdcb18b7077b3447fd8a6e9dcdc7844c955472f827fc45da64391391482a8378a79453844b113d60f351c726407ba943c75d51d5ca58f45ea0590f05cf4bf8bf54d2bf197cde2b1fd7b383461201c87bc5b07aa239
puts hex(K.scrypt("", salt: "", N: 16, r: 1, p: 1, length: 64))
# => 77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
puts hex(K.scrypt("password", salt: "NaCl", N: 1024, r: 8, p: 16, length: 64))
# => fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
puts hex(K.scrypt("x", salt: "y", N: 2, r: 3, p: 5, length: 20)) # => f3d59da8b1f16649c772f6507c936ced547104fa
puts hex(K.scrypt("x", salt: "y", N: 64, r: 1, p: 2, length: 0)).inspect # => ""
puts hex(K.hkdf("\x0b" * 22, salt: (0..12).to_a.pack("C*"), info: (0xf0..0xf9).to_a.pack("C*"), length: 42, hash: "sha256"))
# => 3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
error { K.pbkdf2_hmac("a", salt: "b", iterations: 0, length: 3, hash: "sha1") }
# => OpenSSL::KDF::KDFError: PKCS5_PBKDF2_HMAC: invalid iteration count
error { K.pbkdf2_hmac("a", salt: "b", iterations: -1, length: 3, hash: "sha1") } # => OpenSSL::KDF::KDFError: PKCS5_PBKDF2_HMAC
error { K.pbkdf2_hmac("a", salt: "b", iterations: 1, length: -3, hash: "sha1") } # => ArgumentError: negative string size (or size too big)
error { K.pbkdf2_hmac("a", salt: "b", iterations: 2**31, length: 3, hash: "sha1") }
# => RangeError: integer 2147483648 too big to convert to 'int'
error { K.pbkdf2_hmac(nil, salt: "b", iterations: 1, length: 3, hash: "sha1") } # => TypeError: no implicit conversion of nil into String
puts K.pbkdf2_hmac("a", salt: "b", iterations: 1, length: 0, hash: "sha1").inspect # => ""
error { K.pbkdf2_hmac("a", salt: "b", iterations: 1, length: 3, hash: "shake128") } # => OpenSSL::KDF::KDFError: PKCS5_PBKDF2_HMAC
error { K.scrypt("a", salt: "b", N: 15, r: 8, p: 1, length: 3) } # => OpenSSL::KDF::KDFError: EVP_PBE_scrypt
error { K.scrypt("a", salt: "b", N: 16, r: 0, p: 1, length: 3) } # => OpenSSL::KDF::KDFError: EVP_PBE_scrypt
error { K.scrypt("a", salt: "b", N: 16, r: 8, p: 0, length: 3) } # => OpenSSL::KDF::KDFError: EVP_PBE_scrypt
error { K.scrypt("a", salt: "b", N: 16, r: 8, p: -1, length: 3) } # => OpenSSL::KDF::KDFError: EVP_PBE_scrypt: parameter too large
error { K.scrypt("a", salt: "b", N: 16, r: 8, p: 1, length: -3) } # => ArgumentError: negative string size (or size too big)
error { K.scrypt("a", salt: "b", N: 2**60, r: 8, p: 1, length: 3) } # => OpenSSL::KDF::KDFError: EVP_PBE_scrypt: memory limit exceeded
error { K.scrypt("a", salt: "b", N: 16, r: 8, p: 1) } # => ArgumentError: missing keyword: :length
error { K.scrypt("a", salt: "b", N: 16, r: 8, p: 1, length: 3, q: 1) } # => ArgumentError: unknown keyword: :q
error { K.hkdf("a", salt: "b", info: "", length: 0, hash: "sha1") } # => OpenSSL::KDF::KDFError: EVP_PKEY_derive: invalid key length
error { K.hkdf("a", salt: "b", info: "", length: 20_000_000, hash: "sha1") } # => OpenSSL::KDF::KDFError: EVP_PKEY_derive
error { K.hkdf("a", salt: "b", info: "", length: -1, hash: "sha1") } # => ArgumentError: length must be non-negative
error { K.hkdf("a", salt: "b", info: "", length: 3, hash: 1) } # => TypeError: no implicit conversion of Integer into String

# What takes long ends as soon as it is told to, and others go on meanwhile.
def time_to_end(thread)
  sleep 0.05
  from = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  thread.kill
  thread.join
  time = Process.clock_gettime(Process::CLOCK_MONOTONIC) - from
  time < 20 ? :ended : time
end

puts time_to_end(Thread.new { K.pbkdf2_hmac("a", salt: "b", iterations: 2**31 - 1, length: 2**20, hash: "sha512") }) # => ended
puts time_to_end(Thread.new { K.scrypt("a", salt: "b", N: 2**12, r: 8, p: 2**17, length: 2**20) }) # => ended
puts time_to_end(Thread.new { OpenSSL::PKey.generate_key("RSA", rsa_keygen_bits: 16384) }) # => ended
puts time_to_end(Thread.new { OpenSSL::PKey.generate_parameters("DH", dh_paramgen_prime_len: 8192) }) # => ended
begin
  Timeout.timeout(0.05) { OpenSSL::PKey.generate_key("RSA", rsa_keygen_bits: 16384) }
rescue Timeout::Error
  puts "time is over" # => time is over
end

# The block hears of the progress, and may end the search.
told = []
key = OpenSSL::PKey.generate_key("RSA", rsa_keygen_bits: 1024) { |*numbers| told << numbers }
puts told.map(&:size).uniq.inspect # => [2]
puts told.include?([3, 1]) # => true
puts key.n.num_bits # => 1024
puts OpenSSL::PKey.generate_key("RSA", rsa_keygen_bits: 4096) { |*| break :broken }.inspect # => :broken
error { OpenSSL::PKey.generate_key("RSA", rsa_keygen_bits: 4096) { raise "enough" } } # => RuntimeError: enough
error { OpenSSL::PKey.generate_key("RSA", rsa_keygen_bits: 100) }
# => OpenSSL::PKey::PKeyError: EVP_PKEY_CTX_ctrl_str(ctx, "rsa_keygen_bits", "100"): key size too small
