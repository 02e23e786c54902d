# Digests, keyed digests, ciphers and random bytes of the system's OpenSSL.
begin
  require "openssl"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

p OpenSSL::Digest.new("SHA256", "abc").hexdigest # => "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
digest = OpenSSL::Digest.new("sha512")
p [digest.name, digest.digest_length, digest.block_length] # => ["SHA512", 64, 128]
digest << "a"
copy = digest.dup
copy << "b"
p [digest.hexdigest[0, 8], copy.hexdigest[0, 8]] # => ["1f40fc92", "2d408a07"]
p digest.reset.hexdigest == OpenSSL::Digest.hexdigest("SHA512", "") # => true
begin
  OpenSSL::Digest.new("none")
rescue OpenSSL::Digest::DigestError => e
  p [e.message[/\A.*?: none/], e.detailed_message.include?("OpenSSL error queue reported 1 errors:\nerror:")] # => ["unsupported digest algorithm: none", true]
end

mac = OpenSSL::HMAC.new("key", "SHA256")
mac << "da" << "ta"
p mac.hexdigest # => "5031fe3d989c6d1537a013fa6e739da23463fdaec3b70137d828e36ace221bd0"
p [mac == OpenSSL::HMAC.new("key", "SHA256").update("data"), mac.reset.digest == OpenSSL::HMAC.digest("SHA256", "key", "")] # => [true, true]

cipher = OpenSSL::Cipher.new("aes-256-gcm").encrypt
p [cipher.name, cipher.key_len, cipher.iv_len, cipher.authenticated?] # => ["AES-256-GCM", 32, 12, true]
begin
  cipher.key = "short"
rescue ArgumentError => e
  p e.message # => "key must be 32 bytes"
end
begin
  cipher.update("x")
rescue OpenSSL::Cipher::CipherError => e
  p e.message # => "key not set"
end
cipher.key = "k" * 32
cipher.iv = "i" * 12
cipher.auth_data = "seen"
secret = cipher.update("text" * 1000) + cipher.final
tag = cipher.auth_tag
p tag.bytesize # => 16

open = ->(tag) do
  plain = OpenSSL::Cipher.new("aes-256-gcm").decrypt
  plain.key = "k" * 32
  plain.iv = "i" * 12
  plain.auth_data = "seen"
  plain.auth_tag = tag
  plain.update(secret) + plain.final
end
p open.(tag) == "text" * 1000 # => true
begin
  open.(tag.reverse)
rescue OpenSSL::Cipher::AuthTagError => e
  p e.message # => "AEAD authentication tag verification failed"
end
cipher.auth_tag(65) rescue p $!.class # => RangeError

p OpenSSL::Random.random_bytes(20).bytesize # => 20
p [OpenSSL.fixed_length_secure_compare("abc", "abc"), (OpenSSL.fixed_length_secure_compare("abc", "ab") rescue $!.message)] # => [true, "inputs must be of equal length"]

# One object from several threads: each call is whole.
shared = OpenSSL::Digest.new("SHA1")
4.times.map { Thread.new { 500.times { shared << "x" * 100 } } }.each(&:join)
p shared.hexdigest == OpenSSL::Digest.hexdigest("SHA1", "x" * 200_000) # => true
ciphers = OpenSSL::Cipher.new("aes-128-ctr").encrypt
ciphers.key = ciphers.iv = "0" * 16
parts = 4.times.map { Thread.new { Array.new(200) { ciphers.update("\0" * 16) } } }.flat_map(&:value)
ciphers = OpenSSL::Cipher.new("aes-128-ctr").encrypt
ciphers.key = ciphers.iv = "0" * 16
p parts.sort == Array.new(800) { ciphers.update("\0" * 16) }.sort # => true

# In a VM of its own.
p RubyVM.new("digests", source: 'require "openssl"; OpenSSL::Digest::SHA256.hexdigest("abc")[0, 8]').start.value # => "ba7816bf"
