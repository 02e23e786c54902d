# OpenSSL::PKCS12 and PKCS7: keys with their certificates, messages that are signed or encrypted.
begin
  require "openssl"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require_relative "_certificates"
include OpenSSL

def failure
  yield
rescue => e
  "#{e.class}: #{e.message}"
end

root, middle, leaf = [ROOT, MIDDLE, LEAF].map { |text| X509::Certificate.new(text) }
key = PKey.read(LEAF_KEY)
list = X509::CRL.new(REVOCATIONS)
store = X509::Store.new
store.add_cert(root)

file = PKCS12.create("secret", "name", key, leaf, [middle, root], "AES-128-CBC", "AES-256-CBC", 1000, 1000, PKCS12::KEY_SIG)
p file.key.equal?(key), file.certificate.equal?(leaf), file.ca_certs.size # => true
# => true
# => 2
again = PKCS12.new(file.to_der, "secret")
p again.certificate == leaf, again.ca_certs.map(&:subject).sort == [root, middle].map(&:subject).sort, again.key.private? # => true
# => true
# => true
p again.dup.to_der == file.to_der # => true
p failure { PKCS12.new(file.to_der, "wrong") } # => "OpenSSL::PKCS12::PKCS12Error: PKCS12_parse: mac verify failure"
p failure { PKCS12.new("rubbish") }.class # => String
p failure { PKCS12.create("s", "n", key, leaf, nil, "none") } # => "ArgumentError: Unknown PBE algorithm none"
p failure { PKCS12.create("s", "n", key, leaf, nil, nil, nil, nil, nil, 3) } # => "ArgumentError: Unknown key usage type 3"
p failure { PKCS12.create("s", "n", nil, leaf) } # => "TypeError: wrong argument type nil (expected OpenSSL/EVP_PKEY)"
p failure { PKCS12.create("a\0", "n", key, leaf) } # => "ArgumentError: string contains null byte"
again.set_mac("other", "saltsalt", 5, "SHA384")
p PKCS12.new(again.to_der, "secret") rescue p $!.message # => "PKCS12_parse: mac verify failure"
again.set_mac("other", "")
p PKCS12.new.key, PKCS12.allocate.key # => nil
# => nil
p failure { PKCS12.allocate.to_der } # => "RuntimeError: PKCS12 wasn't initialized!"

signed = PKCS7.sign(leaf, key, "text\n", [middle])
p signed.type, signed.data, signed.detached?, signed.certificates.map { |one| one.subject.to_s } # => :signed
# => "text\n"
# => false
# => ["/DC=example/CN=leaf", "/DC=example/CN=middle"]
again = PKCS7.new(signed.to_pem)
p again.verify([], X509::Store.new), again.data, again.error_string # => false
# => ""
# => "certificate verify error"
again = PKCS7.new(signed.to_pem)
p again.verify([], store), again.error_string # => true
# => nil
again = PKCS7.new(signed.to_pem)
p again.verify([], X509::Store.new, nil, PKCS7::NOVERIFY), again.data, again.error_string # => true
# => "text\r\n"
# => nil
p again.signers.map { |one| [one.issuer.to_s, one.serial.to_i, (Time.now - one.signed_time).abs < 100] } # => [["/DC=example/CN=middle", 3, true]]
detached = PKCS7.sign(leaf, key, "text\n", [], PKCS7::DETACHED | PKCS7::BINARY | PKCS7::NOATTR)
p detached.detached, failure { detached.signers[0].signed_time } # => true
# => "OpenSSL::PKCS7::PKCS7Error: no signing time"
p PKCS7.new(detached.to_der).verify([], store, "text\n", PKCS7::NOVERIFY), PKCS7.new(detached.to_der).verify([], store, "other", PKCS7::NOVERIFY) # => true
# => false
mail = PKCS7.write_smime(detached, "text\n")
p mail.lines.size > 10, PKCS7.read_smime(mail).data, PKCS7.read_smime(PKCS7.write_smime(again)).to_der == again.to_der # => true
# => "text\r\n"
# => true
p failure { PKCS7.read_smime("rubbish") }.start_with?("OpenSSL::PKCS7::PKCS7Error: Could not parse the PKCS7") # => true

made = PKCS7.new
made.type = "signed"
made.add_signer(PKCS7::SignerInfo.new(leaf, key, "SHA256"))
made.certificates = [leaf, middle]
made.crls = [list]
made.data = "content"
p made.crls.size, made.verify([], store, nil, PKCS7::NOVERIFY), made.data, made.dup.to_der == made.to_der # => 1
# => true
# => "content"
# => true
made.certificates = []
p made.certificates, made.signers.size # => []
# => 1
p failure { made.certificates = [1] } # => "TypeError: wrong argument type Integer (expected OpenSSL/X509)"
p failure { PKCS7.new.type = :other } # => "OpenSSL::PKCS7::PKCS7Error: unknown type \"other\""
p failure { PKCS7.new("rubbish") }.start_with?("OpenSSL::PKCS7::PKCS7Error: Could not parse the PKCS7") # => true
p failure { PKCS7.encrypt([leaf], "x") }[0, 13] # => "ArgumentError"
p failure { PKCS7.sign(leaf, 1, "x") }[0, 9] # => "TypeError"
p failure { PKCS7.new.to_der }[0, 27] # => "OpenSSL::PKCS7::PKCS7Error:"
p failure { PKCS7.new.data = "x" }.start_with?("OpenSSL::PKCS7::PKCS7Error") # => true
plain = PKCS7.new
plain.type = :data
plain.data = "x"
p plain.to_der, plain.certificates, plain.recipients, plain.detached # => "0\x10\x06\t*\x86H\x86\xF7\r\x01\a\x01\xA0\x03\x04\x01x"
# => nil
# => []
# => false

# For RSA keys only.
rsa = PKey::RSA.generate(1024)
receiver = X509::Certificate.new
receiver.version = 2
receiver.serial = 77
receiver.subject = receiver.issuer = X509::Name.new([["CN", "receiver"]])
receiver.public_key = rsa
receiver.not_before = Time.at(0)
receiver.not_after = Time.at(4_000_000_000)
receiver.sign(rsa, "SHA256")
closed = PKCS7.new(PKCS7.encrypt([receiver], "for you", "AES-128-CBC").to_der)
p closed.type, closed.recipients.map { |one| [one.issuer.to_s, one.serial.to_i, one.enc_key.bytesize] } # => :enveloped
# => [["/CN=receiver", 77, 128]]
p closed.decrypt(rsa), closed.decrypt(rsa, receiver) # => "for you"
# => "for you"
p failure { closed.decrypt(rsa, leaf) }.start_with?("OpenSSL::PKCS7::PKCS7Error") # => true
both = PKCS7.new
both.type = :signedAndEnveloped
both.cipher = Cipher.new("AES-256-CBC")
both.add_recipient(PKCS7::RecipientInfo.new(receiver))
both.add_signer(PKCS7::SignerInfo.new(receiver, rsa, OpenSSL::Digest.new("SHA256")))
both.add_certificate(receiver)
both.data = "for you"
p both.type, both.recipients.size, both.signers.size, failure { PKCS7.new(both.to_der).decrypt(rsa) } # => :signedAndEnveloped
# => 1
# => 1
# => "OpenSSL::PKCS7::PKCS7Error: wrong content type"

# A certificate that is changed is not the one that went in.
mine = X509::Certificate.new(receiver.to_der)
holder = PKCS7.new
holder.type = :signed
holder.add_certificate(mine)
holder.data = ""
threads = 3.times.map do |i|
  Thread.new do
    100.times do |n|
      i == 0 ? mine.subject = X509::Name.new([["CN", "x" * n]]) : [holder.to_der, holder.certificates[0].subject]
    end
  end
end
threads.each(&:join)
p holder.certificates[0].subject.to_s # => "/CN=receiver"
puts "done" # => done
