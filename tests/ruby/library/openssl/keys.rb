# Keys of each kind: made, written, read, compared, and what is done with them.
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

PKey = OpenSSL::PKey

def error
  yield
rescue StandardError, NotImplementedError => e
  puts "#{e.class}: #{e.message[/\A(Could not parse|.*?(?= \(\[action)|.*)/]}"
end

puts PKey::RSAError <= PKey::PKeyError # => true
puts PKey::ECError <= OpenSSL::OpenSSLError # => true

# RSA
rsa = PKey.generate_key("RSA", rsa_keygen_bits: 1024)
puts [rsa.n.num_bits, rsa.e.to_i, rsa.private?, rsa.public?].inspect # => [1024, 65537, true, true]
puts rsa.p * rsa.q == rsa.n # => true
puts PKey.read(rsa.private_to_der).d == rsa.d # => true
puts PKey.read(rsa.public_to_pem).private? # => false
puts PKey::RSA.new(rsa.to_pem).to_der == rsa.to_der # => true
signature = rsa.sign("SHA256", "text")
puts rsa.verify("SHA256", signature, "text") # => true
puts rsa.verify("SHA256", signature, "Text") # => false
puts rsa.verify("SHA256", signature[1..], "text") # => false
puts rsa.verify_recover("SHA256", signature) == OpenSSL::Digest.new("SHA256").digest("text") # => true
pss = rsa.sign_pss("SHA256", "text", salt_length: :max, mgf1_hash: "SHA1")
puts rsa.verify_pss("SHA256", pss, "text", salt_length: :auto, mgf1_hash: "SHA1") # => true
puts rsa.verify_pss("SHA256", pss, "text", salt_length: :auto, mgf1_hash: "SHA256") # => false
puts rsa.decrypt(rsa.encrypt("secret", rsa_padding_mode: "oaep"), "rsa_padding_mode" => "oaep") # => secret
error { rsa.encrypt("secret", rsa_padding_mode: "none") }
# => OpenSSL::PKey::PKeyError: EVP_PKEY_encrypt: data too small for key size
error { rsa.encrypt("secret", nonsense: 1) }
# => OpenSSL::PKey::PKeyError: EVP_PKEY_CTX_ctrl_str(ctx, "nonsense", "1"): command not supported
error { rsa.encrypt("secret", 1) } # => TypeError: wrong argument type Integer (expected Hash)
error { PKey.read(rsa.public_to_der).sign("SHA256", "text") } # => ArgumentError: private key is needed
error { PKey::RSA.new }
# => ArgumentError: OpenSSL::PKey::RSA.new cannot be called without arguments; pkeys are immutable with OpenSSL 3.0
error { rsa.set_key(1, 2, 3) } # => OpenSSL::PKey::PKeyError: rsa#set_key= is incompatible with OpenSSL 3.0
error { PKey::PKey.new } # => TypeError: OpenSSL::PKey::PKey can't be instantiated directly
error { PKey::RSA.allocate.n } # => RuntimeError: PKEY wasn't initialized!
puts rsa.inspect[/ .*/] # =>  oid=rsaEncryption type_name=RSA provider=default>
puts rsa.dup.compare?(rsa) # => true

# Passwords
pem = rsa.private_to_pem("aes-128-cbc", "secret")
puts pem.lines.first # => -----BEGIN ENCRYPTED PRIVATE KEY-----
puts PKey.read(pem, "secret").d == rsa.d # => true
puts PKey.read(pem) { |writes| puts writes; "secret" }.d == rsa.d
# => false
# => true
error { PKey.read(pem, "Secret") }
# => OpenSSL::PKey::PKeyError: Could not parse
error { PKey.read(pem) { nil } }
# => OpenSSL::PKey::PKeyError: Could not parse
error { PKey.read(pem) { raise "no" } }
# => OpenSSL::PKey::PKeyError: Could not parse
error { PKey.read(pem, "x" * 1025) } # => OpenSSL::OpenSSLError: password must not be longer than 1024 bytes
puts PKey::RSA.new(rsa.to_pem(OpenSSL::Cipher.new("aes-128-cbc"), "a\0b"), "a\0b").n == rsa.n # => true
error { PKey.read("") } # => OpenSSL::PKey::PKeyError: Could not parse

# Curves
ec = PKey::EC.generate("prime256v1")
puts [ec.private?, ec.public?, ec.group.curve_name, ec.group.degree].inspect # => [true, true, "prime256v1", 256]
puts ec.verify(nil, ec.sign("SHA256", "x"), "x") # => true
puts ec.check_key # => true
other = PKey.generate_key("EC", "ec_paramgen_curve" => "P-256")
puts ec.derive(other) == other.derive(ec) # => true
puts PKey::EC.new(ec.to_pem).private_key == ec.private_key # => true
puts PKey.read(ec.public_to_der).public_key == ec.public_key # => true
error { ec.private_key = 1 } # => OpenSSL::PKey::PKeyError: pkeys are immutable on OpenSSL 3.0
error { PKey::EC.generate("nonsense") } # => OpenSSL::PKey::PKeyError: invalid curve name
error { PKey::EC.new("nonsense") } # => OpenSSL::PKey::PKeyError: invalid curve name
error { PKey::EC::Group.new("nonsense") } # => OpenSSL::PKey::EC::Group::Error: unknown curve name (nonsense)
error { PKey::EC::Group.new(:GFp, 1, 2) } # => ArgumentError: wrong number of arguments
puts PKey::EC.builtin_curves.assoc("prime256v1").inspect
# => ["prime256v1", "X9.62/SECG curve over a 256 bit prime field"]

# The curve y**2 = x**3 + 2x + 2 over 17
small = PKey::EC::Group.new(:GFp, 17, 2, 2)
puts [small == small.dup, small == PKey::EC::Group.new(:GFp, 17, 2, 3), small == ec.group].inspect # => [true, false, false]
small.set_generator(PKey::EC::Point.new(small, ["040501"].pack("H*")), 19, 1)
puts [small.order.to_i, small.cofactor.to_i, small.seed, small.curve_name].inspect # => [19, 1, nil, nil]
point = small.generator
puts point.to_octet_string(:uncompressed).unpack1("H*") # => 040501
puts point.to_octet_string(:compressed).unpack1("H*") # => 0305
puts point.mul(3).to_octet_string(:uncompressed).unpack1("H*") # => 040a06
puts point.mul(3) == point.add(point).add(point) # => true
puts point.mul(19).infinity? # => true
puts point.dup.invert!.add(point).infinity? # => true
puts PKey::EC::Point.new(small, OpenSSL::BN.new(point.to_octet_string(:hybrid), 2)) == point # => true
error { PKey::EC::Point.new(small, "\4\5\2") } # => OpenSSL::PKey::EC::Point::Error: EC_POINT_oct2point: point is not on curve
error { point.mul([1]) } # => NotImplementedError: OpenSSL::PKey::EC::Point#mul with arrays is no longer supported
error { point.to_octet_string(:none) }
# => ArgumentError: unsupported point conversion form :none (expected :compressed, :uncompressed, or :hybrid)
error { PKey::EC::Point.allocate.infinity? } # => OpenSSL::PKey::EC::Point::Error: EC_POINT is not initialized

# DH and DSA
dh = PKey::DH.new(<<~PEM)
  -----BEGIN DH PARAMETERS-----
  MEYCQQCZyM8JnUH1F4cpn1BwQ62yMeq80/POGpNP7Ux6VprpMJ/LTsSndwB2Mmo4
  v7nUBWhRM8i2vr+lwWr7udLlEIPXAgEC
  -----END DH PARAMETERS-----
PEM
puts [dh.p.num_bits, dh.g.to_i, dh.q, dh.pub_key, dh.private?, dh.params_ok?].inspect # => [512, 2, nil, nil, false, true]
puts PKey::DH.new(dh.to_der).p == dh.p # => true
puts PKey::DH.new(dh.to_pem).to_s == dh.to_s # => true
mine, theirs = PKey.generate_key(dh), PKey.generate_key(dh)
puts mine.derive(theirs) == theirs.derive(mine) # => true
error { mine.derive(ec) } # => OpenSSL::PKey::PKeyError: EVP_PKEY_derive_set_peer: operation not supported for this keytype
error { mine.set_pqg(1, 2, 3) } # => OpenSSL::PKey::PKeyError: dh#set_pqg= is incompatible with OpenSSL 3.0
dsa = PKey::DSA.new(<<~PEM)
  -----BEGIN PRIVATE KEY-----
  MIIBTAIBADCCASwGByqGSM44BAEwggEfAoGBAL1iLktKssCQB6iPJO9/S9hoclhG
  5Dw3CtALtl2JePttnwYnr3jMvh7xLE+MKvjQRFRJyAIQCQ6i1WN7D82d7f9l0xJX
  Ls5TyW7CA4vt/+1vxiuJaZde1K77X+khvtYn5kFIwhKSn4XOLEmpLs4kIFf0gLri
  Nlq32sl7NSU5VfeJAhUAv5VerI/Iwiqfe1I/qMM8TmPrR98CgYEAuUNm/Nj4kuNo
  Gwh+tm5oZGDogVgC+X0m2quroy+aVDsk2OcHH4g/60cy0zsZR/i6GpJyMX+zYTOX
  R11+EybeVLafBICrQPaE7acN6WcbCpSpM8vQE+hP7rH5eJjKyLiECBqBtwlztQpj
  wJo3JACDVajZh+Q+wO0fskmUUDPEU4YEFwIVALJZlLgkPoP9ROlPRZshXolxC+ur
  -----END PRIVATE KEY-----
PEM
puts [dsa.p.num_bits, dsa.q.num_bits, dsa.private?].inspect # => [1024, 160, true]
puts dsa.verify("SHA256", dsa.sign("SHA256", "x"), "x") # => true
digest = OpenSSL::Digest.new("SHA1").digest("x")
puts dsa.verify_raw(nil, dsa.sign_raw(nil, digest), digest) # => true
puts PKey::DSA.new(dsa.to_pem("aes-128-cbc", "a"), "a").priv_key == dsa.priv_key # => true
error { dsa.compare?(rsa) } # => TypeError: cannot match different PKey types
error { PKey::RSA.new(dsa.to_der) } # => OpenSSL::PKey::PKeyError: incorrect pkey type: DSA

# Keys that are their bytes
secret = ["9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"].pack("H*")
ed = PKey.new_raw_private_key("ED25519", secret)
puts ed.raw_public_key.unpack1("H*") # => d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
puts ed.sign(nil, "").unpack1("H*")[0, 32] # => e5564300c360ac729086e2cc806e828a
puts [ed.oid, ed.raw_private_key == secret].inspect # => ["ED25519", true]
error { ed.sign("SHA512", "") }
# => OpenSSL::PKey::PKeyError: EVP_DigestSignInit: invalid digest
error { PKey.new_raw_public_key("ED25519", "x") }
# => OpenSSL::PKey::PKeyError: EVP_PKEY_new_raw_public_key_ex: key setup failed
error { PKey.new_raw_private_key("a\0b", "x") } # => ArgumentError: string contains null byte
