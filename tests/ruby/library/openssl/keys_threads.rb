# parallel: no, it starts threads and VMs of its own
# Keys that threads share: they sign, verify, write and read at once; the same in a VM.
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

PKey = OpenSSL::PKey
rsa = PKey.generate_key("RSA", rsa_keygen_bits: 1024)
ec = PKey::EC.generate("prime256v1")
ed = PKey.generate_key("ED25519")
group = ec.group
point = group.generator
derived = OpenSSL::KDF.pbkdf2_hmac("a", salt: "b", iterations: 2, length: 4, hash: "sha1")

threads = Array.new(8) do |i|
  Thread.new do
    Array.new(8) do |round|
      text = "#{i} #{round}"
      [
        rsa.verify("SHA256", rsa.sign("SHA256", text), text),
        ec.verify("SHA256", ec.sign("SHA256", text), text),
        ed.verify(nil, ed.sign(nil, text), text),
        !rsa.verify("SHA256", rsa.sign("SHA256", text), "other"),
        rsa.decrypt(rsa.encrypt(text)) == text,
        PKey.read(ec.private_to_pem("aes-128-cbc", text), text).private_key == ec.private_key,
        PKey.read(rsa.public_to_der).n == rsa.n,
        PKey::EC.new(ec.to_der).public_key == ec.public_key,
        point.mul(7) == point.add(point.mul(6)),
        ec.derive(other = PKey::EC.generate(group)) == other.derive(ec),
        rsa.dup.compare?(rsa),
        OpenSSL::KDF.pbkdf2_hmac("a", salt: "b", iterations: 2, length: 4, hash: "sha1") == derived
      ]
    end.flatten.uniq
  end
end
puts threads.flat_map(&:value).uniq.inspect # => [true]

# A group that threads change while others read it
threads = Array.new(4) do |i|
  Thread.new do
    50.times do
      group.point_conversion_form = i.even? ? :compressed : :uncompressed
      group.seed = "x" * (i + 1)
      raise "torn" unless group.seed.match?(/\Ax+\z/) && group == group.dup && group.to_der.bytesize > 2
    end
    true
  end
end
puts threads.map(&:value).inspect # => [true, true, true, true]

vms = Array.new(2) do
  RubyVM.new("keys") do
    require "openssl.so"
    key = OpenSSL::PKey.generate_key("EC", ec_paramgen_curve: "P-256")
    [key.verify("SHA256", key.sign("SHA256", "x"), "x"), OpenSSL::PKey::RSAError.superclass.name]
  end.start
end
p vms.map(&:value) # => [[true, "OpenSSL::PKey::PKeyError"], [true, "OpenSSL::PKey::PKeyError"]]
