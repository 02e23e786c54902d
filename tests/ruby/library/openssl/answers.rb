# OpenSSL::OCSP and Timestamp: whether a certificate counts, and when data were there.
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

def issue(name, key, use)
  made = X509::Certificate.new
  made.version = 2
  made.serial = 9
  made.subject = made.issuer = X509::Name.new([["CN", name]])
  made.public_key = key
  made.not_before = Time.at(0)
  made.not_after = Time.at(4_000_000_000)
  made.add_extension(X509::ExtensionFactory.new.create_ext("extendedKeyUsage", use, true))
  made.sign(key, "SHA256")
end

responder = issue("responder", key, "OCSPSigning")
store = X509::Store.new
store.add_cert(responder)

id = OCSP::CertificateId.new(leaf, middle, "SHA256")
p id.serial.to_i, id.hash_algorithm, id.issuer_name_hash == OpenSSL::Digest.hexdigest("SHA256", middle.subject.to_der), id.issuer_key_hash.size # => 3
# => "sha256"
# => true
# => 64
other = OCSP::CertificateId.new(middle, root)
p other.hash_algorithm, id.cmp(id.dup), id.cmp(other), id.cmp_issuer(other), OCSP::CertificateId.new(id.to_der).cmp(id) # => "sha1"
# => true
# => false
# => false
# => true

request = OCSP::Request.new
p request.certid, request.signed? # => nil
# => false
request.add_certid(id).add_certid(other).add_nonce("nonce")
p request.certid.map { |one| one.serial.to_i }, OCSP::Request.new(request.to_der).to_der == request.dup.to_der # => [3, 2]
# => true
request.sign(responder, key, [])
p request.signed?, request.verify([], store), request.verify([leaf], X509::Store.new) # => true
# => true
# => false

answer = OCSP::BasicResponse.new
p request.check_nonce(answer), answer.copy_nonce(request), request.check_nonce(answer) # => -1
# => 1
# => 1
known = X509::Extension.new("2.5.29.99", "x")
answer.add_status(id, OCSP::V_CERTSTATUS_REVOKED, OCSP::REVOKED_STATUS_KEYCOMPROMISE, Time.at(1_000_000_000), Time.at(2_000_000_000), nil, [known])
answer.add_status(other, OCSP::V_CERTSTATUS_GOOD, nil, nil, -100, 100, nil)
answer.sign(responder, key, [], 0, "SHA256")
# Who answers here has not issued the certificates.
p answer.verify([], store, OCSP::NOCHECKS), OCSP::BasicResponse.new(answer.to_der).verify([], store, OCSP::NOCHECKS), answer.verify([], store) # => true
# => true
# => false
revoked, good = answer.responses
p revoked.cert_status, revoked.revocation_time.to_i, revoked.revocation_reason, revoked.this_update.to_i, revoked.next_update # => 1
# => 1000000000
# => 1
# => 2000000000
# => nil
p revoked.extensions.map { |one| [one.oid, one.value_der] }, revoked.check_validity, revoked.certid.cmp(id) # => [["2.5.29.99", "x"]]
# => false
# => true
p good.cert_status, good.check_validity, good.check_validity(0, 10), failure { good.revocation_time } # => 0
# => true
# => false
# => "OpenSSL::OCSP::OCSPError: certificate is not revoked"
p answer.status.map { |one| one[1..3].map { |part| Time === part ? part.to_i : part } } # => [[1, 1, 1000000000], [0, 0, nil]]
p answer.find_response(other).to_der == good.to_der, answer.find_response(OCSP::CertificateId.new(root, root)) # => true
# => nil
p OCSP::SingleResponse.new(good.to_der).certid.cmp(other), good.dup.to_der == good.to_der # => true
# => true
response = OCSP::Response.create(OCSP::RESPONSE_STATUS_SUCCESSFUL, answer)
p response.status, response.status_string, response.basic.to_der == answer.to_der, OCSP::Response.new(response.to_der).dup.status # => 0
# => "successful"
# => true
# => 0
p OCSP::Response.create(OCSP::RESPONSE_STATUS_TRYLATER, nil).then { |one| [one.status_string, one.basic] } # => ["trylater", nil]
p failure { OCSP::Request.new("x") }[0, 43], failure { OCSP::Request.allocate.to_der } # => "OpenSSL::OCSP::OCSPError: d2i_OCSP_REQUEST:"
# => "RuntimeError: Request wasn't initialized!"
p failure { answer.add_status(id, 0, nil, nil, nil, nil, nil) }.class, failure { answer.verify(nil, store) } # => String
# => "TypeError: wrong argument type nil (expected Array)"

stamper = issue("stamper", key, "timeStamping")
question = Timestamp::Request.new
p question.version, question.cert_requested?, question.policy_id, question.nonce, question.message_imprint # => 1
# => true
# => nil
# => nil
# => ""
p failure { question.algorithm }, failure { question.to_der } # => "OpenSSL::OpenSSLError: OBJ_obj2txt"
# => "OpenSSL::Timestamp::TimestampError: Message imprint missing algorithm"
question.algorithm = "SHA256"
p failure { question.to_der } # => "OpenSSL::Timestamp::TimestampError: Message imprint missing hashed message"
question.message_imprint = OpenSSL::Digest.digest("SHA256", "data")
question.policy_id = "1.2.3.4.5"
question.nonce = 2**70
p question.algorithm, question.policy_id, question.nonce.to_i == 2**70, Timestamp::Request.new(question.to_der).nonce.to_i # => "SHA256"
# => "1.2.3.4.5"
# => true
# => 1180591620717411303424
p failure { question.version = -1 }, failure { question.algorithm = "nothing" }[0, 28], failure { question.nonce = nil }.class # => "OpenSSL::Timestamp::TimestampError: version must be >= 0!"
# => "OpenSSL::ASN1::ASN1Error: in"
# => String
factory = Timestamp::Factory.new
p failure { factory.create_timestamp(key, stamper, question) } # => "OpenSSL::Timestamp::TimestampError: @gen_time must be a Time."
factory.gen_time = Time.at(1_700_000_000)
factory.serial_number = 12
p factory.create_timestamp(key, stamper, question).then { |one| [one.status.to_i, one.failure_info, one.status_text, one.token, one.tsa_certificate] } # => [2, :BAD_ALG, ["Message digest algorithm is not supported."], nil, nil]
factory.allowed_digests = ["sha1", OpenSSL::Digest.new("SHA256")]
factory.additional_certs = [leaf]
stamp = factory.create_timestamp(key, stamper, question)
info = Timestamp::Response.new(stamp.to_der).token_info
p stamp.status.to_i, info.gen_time.to_i, info.serial_number.to_i, info.policy_id, info.algorithm, info.message_imprint == question.message_imprint # => 0
# => 1700000000
# => 12
# => "1.2.3.4.5"
# => "SHA256"
# => true
p info.ordering, info.version, info.nonce == question.nonce, stamp.token.certificates.size, stamp.tsa_certificate == stamper # => false
# => 1
# => true
# => 2
# => true
trust = X509::Store.new
trust.add_cert(stamper)
p stamp.verify(question, trust).equal?(stamp), failure { stamp.verify(question, store) }[0, 35] # => true
# => "OpenSSL::Timestamp::TimestampError:"
question.nonce = 1
p failure { stamp.verify(question, trust) } # => "OpenSSL::Timestamp::TimestampError: TS_RESP_verify_response: nonce mismatch"
p failure { factory.create_timestamp(key, responder, question) }[0, 91] # => "OpenSSL::Timestamp::TimestampError: Certificate does not contain the timestamping extension"
p failure { Timestamp::Response.new("x") }[0, 78] # => "OpenSSL::Timestamp::TimestampError: Error when decoding the timestamp response"
puts "done" # => done
