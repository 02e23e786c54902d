# What is signed: certificates, requests, lists of revoked ones and SPKI, by keys of several kinds, and by threads at once.
begin
  require "openssl"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require_relative "_certificates"
include OpenSSL::X509

def failure
  yield
rescue => e
  "#{e.class}: #{e.message}"
end

def certificate(name, key, serial, issuer = nil, issuer_key = key, digest: "SHA256", authority: false)
  made = Certificate.new
  made.version = 2
  made.serial = serial
  made.subject = Name.parse(name)
  made.issuer = issuer ? issuer.subject : made.subject
  made.public_key = key
  made.not_before = Time.now - 60
  made.not_after = Time.now + 3600
  factory = ExtensionFactory.new(issuer || made, made)
  made.add_extension(factory.create_extension("basicConstraints", "CA:#{authority ? "TRUE" : "FALSE"}", true))
  made.add_extension(factory.create_extension("subjectKeyIdentifier", "hash"))
  made.add_extension(factory.create_extension("authorityKeyIdentifier", "keyid")) if issuer
  made.sign(issuer_key, digest)
end

leaf_key = OpenSSL::PKey.read(LEAF_KEY)
leaf = Certificate.new(LEAF)
p leaf.public_key.class, leaf.check_private_key(leaf_key), leaf.verify(leaf_key), leaf.verify(Certificate.new(MIDDLE).public_key) # => OpenSSL::PKey::EC
# => true
# => false
# => true
p Request.new(REQUEST).verify(leaf_key), OpenSSL::Netscape::SPKI.new(SIGNED_KEY).verify(leaf_key), CRL.new(REVOCATIONS).verify(leaf_key) # => true
# => true
# => false

ec = OpenSSL::PKey::EC.generate("prime256v1")
edwards = OpenSSL::PKey.generate_key("ED25519")
root = certificate("/CN=root", ec, 1, authority: true)
below = certificate("/CN=below", edwards, 2**80, root, ec)
last = certificate("/CN=last", leaf_key, 3, below, edwards, digest: nil)
p root.verify(ec), below.verify(ec), failure { below.verify(edwards) }, last.verify(edwards), last.signature_algorithm # => true
# => true
# => "OpenSSL::X509::CertificateError: wrong public key type"
# => true
# => "ED25519"
p below.authority_key_identifier == root.subject_key_identifier, Marshal.load(Marshal.dump(last)) == last # => true
# => true
p root.subject_key_identifier == OpenSSL::Digest::SHA1.digest(OpenSSL::ASN1.decode(ec.public_to_der).value[1].value) # => true
changed = Certificate.new(last.to_der.sub("last", "lost"))
p changed.subject.to_s, changed.verify(edwards) # => "/CN=lost"
# => false
public_key = OpenSSL::PKey.read(ec.public_to_der)
p failure { root.dup.sign(public_key, "SHA256") } # => "ArgumentError: private key is needed"
p failure { root.dup.sign(ec, "nope") }[0, 30], failure { root.dup.sign(1, nil) } # => "OpenSSL::Digest::DigestError: "
# => "TypeError: wrong argument type Integer (expected OpenSSL/EVP_PKEY)"
p failure { root.dup.sign(edwards, "SHA256") }[0, 42], failure { Certificate.new.public_key } # => "OpenSSL::X509::CertificateError: X509_sign"
# => "OpenSSL::X509::CertificateError: decode error"

request = Request.new
request.subject = Name.parse("/CN=asks")
request.public_key = ec
request.add_attribute(Attribute.new("challengePassword", OpenSSL::ASN1::Set([OpenSSL::ASN1::UTF8String("secret")])))
request.sign(ec, OpenSSL::Digest.new("SHA384"))
p request.verify(ec), request.verify(leaf_key), request.signature_algorithm, Request.new(request.to_der) == request # => true
# => false
# => "ecdsa-with-SHA384"
# => true

list = CRL.new
list.issuer = root.subject
list.version = 1
list.last_update = Time.now - 60
list.next_update = Time.now + 60
revoked = Revoked.new
revoked.serial = below.serial
revoked.time = Time.now - 60
list.add_revoked(revoked)
list.sign(ec, "SHA256")
store = Store.new
store.flags = V_FLAG_CRL_CHECK
store.add_cert(root).add_crl(list)
p list.verify(ec), store.verify(below), store.error_string # => true
# => false
# => "certificate revoked"

spki = OpenSSL::Netscape::SPKI.new
spki.challenge = "why"
spki.public_key = leaf_key
spki.sign(leaf_key, "SHA256")
p spki.verify(leaf_key), spki.verify(ec), spki.public_key.public_to_der == leaf_key.public_to_der # => true
# => false
# => true

threads = Array.new(4) do |i|
  Thread.new do
    Array.new(5) do |j|
      made = certificate("/CN=t#{i}-#{j}", leaf_key, i * 10 + j, root, ec)
      made.verify(ec) && !made.verify(leaf_key) && made.public_key.public_to_der == leaf_key.public_to_der
    end
  end
end
p threads.flat_map(&:value).tally # => {true => 20}
