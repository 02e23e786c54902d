# OpenSSL::X509: names, extensions, attributes, certificates, requests, lists of revoked ones, checks.
begin
  require "openssl.so"
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

name = Name.new([["DC", "example"], ["CN", "a,é"]])
p name, name.to_s, name.to_s(Name::ONELINE), name.to_utf8 # => #<OpenSSL::X509::Name CN=a\,é,DC=example>
# => "/DC=example/CN=a,\\xC3\\xA9"
# => "DC = example, CN = \"a,\\C3\\A9\""
# => "CN=a\\,é,DC=example"
p name.to_a.map { |oid, text, type| [oid, text.bytesize, type] }, name == Name.new(name.to_der), name.hash == name.dup.hash # => [["DC", 7, 22], ["CN", 4, 12]]
# => true
# => true
p (Name.new([["CN", "a"]]) <=> Name.new([["CN", "b"]])), name <=> 1, name.eql?(1) # => -1
# => nil
# => false
copy = name.dup
copy.add_entry("OU", "x", loc: 0)
p copy.to_s, name.to_s # => "/OU=x/DC=example/CN=a,\\xC3\\xA9"
# => "/DC=example/CN=a,\\xC3\\xA9"
p failure { Name.new([["nope", "x"]]) } # => "OpenSSL::X509::NameError: X509_NAME_add_entry_by_txt: invalid field name (name=nope)"
p failure { Name.new([1]) }, failure { Name.new("junk") }, failure { Name.allocate.to_s } # => "TypeError: wrong argument type Integer (expected Array)"
# => "OpenSSL::X509::NameError: nested asn1 error"
# => "RuntimeError: Name wasn't initialized!"

ext = Extension.new("1.2.3", "a\0\xff", true)
p ext.oid, ext.value, ext.value_der, ext.critical?, ext.to_der.unpack1("H*") # => "1.2.3"
# => "a.."
# => "a\x00\xFF"
# => true
# => "300c06022a030101ff04036100ff"
factory = ExtensionFactory.new
p factory.create_ext("basicConstraints", "CA:TRUE", true).value, factory.create_ext("X509v3 Subject Alternative Name", "DNS:a").oid # => "CA:TRUE"
# => "subjectAltName"
factory.config = OpenSSL::Config.parse("[names]\nDNS.1 = one\nIP.1 = ::1\n")
p factory.create_ext("subjectAltName", "@names").value # => "DNS:one, IP Address:0:0:0:0:0:0:0:1"
p failure { factory.create_ext("basicConstraints", "CA:MAYBE") } # => "OpenSSL::X509::ExtensionError: basicConstraints = CA:MAYBE: error in extension (name=basicConstraints, value=CA:MAYBE)"
p failure { factory.create_ext("subjectAltName", "@none") }[0, 60] # => "OpenSSL::X509::ExtensionError: subjectAltName = @none: error"
p failure { factory.issuer_certificate = 1 } # => "TypeError: wrong argument type Integer (expected OpenSSL/X509)"
p failure { Extension.new("nope", "x") } # => "OpenSSL::X509::ExtensionError: OBJ_txt2obj: unknown object name"

attribute = Attribute.new("challengePassword", OpenSSL::ASN1::Set([OpenSSL::ASN1::UTF8String("secret")]))
p attribute.oid, attribute.value.value[0].value, Attribute.new(attribute.to_der).to_der == attribute.to_der # => "challengePassword"
# => "secret"
# => true
p failure { attribute.value = OpenSSL::ASN1::Null(nil) }[0, 70] # => "OpenSSL::X509::AttributeError: attribute value must be ASN1::Set: nest"
p failure { attribute.value = "x" } # => "TypeError: wrong argument (String)! (Expected kind of OpenSSL::ASN1::ASN1Data)"

leaf = Certificate.new(LEAF)
p leaf.subject, leaf.issuer, leaf.serial.to_i, leaf.version, leaf.not_before, leaf.not_after # => #<OpenSSL::X509::Name CN=leaf,DC=example>
# => #<OpenSSL::X509::Name CN=middle,DC=example>
# => 3
# => 2
# => 2020-01-01 00:00:00 UTC
# => 2100-01-01 00:00:00 UTC
p leaf.signature_algorithm, leaf.extensions.map(&:oid), leaf.extensions[2].value # => "ecdsa-with-SHA256"
# => ["basicConstraints", "subjectKeyIdentifier", "subjectAltName"]
# => "DNS:leaf.example, IP Address:127.0.0.1"
p leaf == Certificate.new(leaf.to_der), leaf == Certificate.new(ROOT), leaf.dup.to_pem == LEAF + "\n" # => true
# => false
# => true
p leaf.inspect.sub(/BN:0x\h+/, "BN"), Certificate.new.inspect[/not_before.*/] # => "#<OpenSSL::X509::Certificate: subject=#<OpenSSL::X509::Name CN=leaf,DC=example>, issuer=#<OpenSSL::X509::Name CN=middle,DC=example>, serial=#<OpenSSL::BN>, not_before=2020-01-01 00:00:00 UTC, not_after=2100-01-01 00:00:00 UTC>"
# => "not_before=(error), not_after=(error)>"
p leaf.to_text.lines.first, leaf.tbs_bytes == OpenSSL::ASN1.decode(leaf).value[0].to_der # => "Certificate:\n"
# => true
p Certificate.load([ROOT, "text between", MIDDLE].join("\n")).map { |c| c.serial.to_i } # => [1, 2]
changed = leaf.dup
changed.serial = 2**100
changed.subject = Name.new([["CN", "other"]])
changed.not_after = Time.utc(2200)
changed.extensions = [Extension.new("1.2.3", "x")]
changed.version = 1
p changed.serial.to_i == 2**100, changed.subject.to_s, changed.not_after.year, changed.extensions.map(&:oid), changed.version # => true
# => "/CN=other"
# => 2200
# => ["1.2.3"]
# => 1
p failure { Certificate.new("junk") }, failure { Certificate.load("") } # => "OpenSSL::X509::CertificateError: PEM_read_bio_X509: no start line (Expecting: CERTIFICATE)"
# => "OpenSSL::X509::CertificateError: Could not detect format of certificate data!"
p failure { leaf.subject = nil }, failure { leaf.extensions = [1] }, failure { leaf.version = -1 } # => "TypeError: wrong argument type nil (expected OpenSSL/X509/NAME)"
# => "TypeError: wrong argument (Integer)! (Expected kind of OpenSSL::X509::Extension)"
# => "OpenSSL::X509::CertificateError: version must be >= 0!"
p failure { Certificate.new.to_der }[0, 35], failure { Certificate.new.not_before } # => "OpenSSL::X509::CertificateError: il"
# => "OpenSSL::ASN1::ASN1Error: ASN1_TIME_to_tm"

crl = CRL.new(REVOCATIONS)
revoked = crl.revoked[0]
p crl.version, crl.issuer.to_s, crl.next_update.year, revoked.serial.to_i, revoked.time, revoked.extensions[0].value # => 1
# => "/DC=example/CN=middle"
# => 2100
# => 3
# => 2021-02-03 04:05:06 UTC
# => "Key Compromise"
revoked.serial = 9
crl.add_revoked(revoked)
p crl.revoked.map { |r| r.serial.to_i }, crl.dup.revoked.size # => [3, 9]
# => 2
crl.revoked = []
p crl.revoked # => []
p failure { Revoked.new.to_der } # => "OpenSSL::X509::RevokedError: i2d_X509_REVOKED: illegal zero content"

request = Request.new(REQUEST)
p request.subject.to_s, request.version, request.attributes.map(&:oid), request.to_pem == REQUEST + "\n" # => "/DC=example/CN=leaf"
# => 0
# => ["challengePassword"]
# => true
request.attributes = []
p request.attributes, request.dup.attributes # => []
# => []

spki = OpenSSL::Netscape::SPKI.new(SIGNED_KEY)
p spki.challenge, spki.to_pem == SIGNED_KEY # => "why"
# => true
spki.challenge = "because"
p spki.challenge, OpenSSL::Netscape::SPKI.new(spki.to_der).challenge # => "because"
# => "because"

store = Store.new
store.add_cert(Certificate.new(ROOT))
p store.verify(leaf), store.error_string # => false
# => "unable to get local issuer certificate"
p store.verify(leaf, [Certificate.new(MIDDLE)]), store.error, store.chain.map { |c| c.serial.to_i } # => true
# => 0
# => [3, 2, 1]
seen = []
p store.verify(leaf) { |right, context| seen << [right, context.error, context.error_depth, context.current_cert == leaf]; true } # => true
p seen # => [[false, 20, 0, true], [false, 21, 0, true], [true, 0, 0, true]]
store.verify_callback = ->(right, context) { context.error = 99; false }
p store.verify(leaf), store.error # => false
# => 99
store.verify_callback = nil
context = StoreContext.new(store, leaf, [Certificate.new(MIDDLE)])
context.time = Time.utc(2101)
p context.verify, context.error_string, context.current_cert.serial.to_i # => false
# => "certificate has expired"
# => 1
$VERBOSE = nil
p store.verify(leaf) { raise "ignored" } # => false
p catch(:out) { store.verify(leaf) { throw :out, :thrown } } # => :thrown
p store.verify(leaf) { store.flags = 0 }, store.verify(leaf, [Certificate.new(MIDDLE)]) # => false
# => true
p failure { StoreContext.new(store).verify } # => "OpenSSL::X509::StoreError: X509_verify_cert: no cert set for us to verify"
p failure { StoreContext.new(store, leaf, [1]) }, failure { StoreContext.new(1) } # => "TypeError: wrong argument (Integer)! (Expected kind of OpenSSL::X509::Certificate)"
# => "TypeError: wrong argument type Integer (expected OpenSSL/X509/STORE)"
lists = Store.new
lists.flags = V_FLAG_CRL_CHECK
[ROOT, MIDDLE].each { |pem| lists.add_cert(Certificate.new(pem)) }
lists.add_crl(CRL.new(REVOCATIONS))
p lists.verify(leaf), lists.error == V_ERR_CERT_REVOKED # => false
# => true
p failure { store.add_file("/nonexistent") }[0, 60], failure { store.add_cert(1) } # => "OpenSSL::X509::StoreError: X509_LOOKUP_load_file: system lib"
# => "TypeError: wrong argument type Integer (expected OpenSSL/X509)"
