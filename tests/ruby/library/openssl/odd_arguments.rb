# Each public method with odd arguments, on objects that are made and on those that are not: errors, and nothing else.
begin
  require "openssl"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require_relative "_certificates"
include OpenSSL

key = PKey.read(LEAF_KEY)
leaf = X509::Certificate.new(LEAF)
rsa = PKey::RSA.generate(1024)
receiver = X509::Certificate.new
receiver.subject = receiver.issuer = X509::Name.new([["CN", "receiver"]])
receiver.public_key = rsa
receiver.not_before = receiver.not_after = Time.at(0)
receiver.sign(rsa, "SHA256")
id = OCSP::CertificateId.new(leaf, X509::Certificate.new(MIDDLE))
answer = OCSP::BasicResponse.new
answer.add_status(id, 0, nil, nil, -5, 5, nil)
answer.sign(leaf, key, [])
signed = PKCS7.sign(leaf, key, "text")

MAKERS = [
  -> { PKCS12.create("s", "n", key, leaf) }, -> { PKCS7.new }, -> { PKCS7.new(signed.to_der) },
  -> { PKCS7.new.tap { |one| one.type = :enveloped } }, -> { PKCS7.new.tap { |one| one.type = :encrypted } }, -> { signed.signers[0] },
  -> { PKCS7::RecipientInfo.new(receiver) }, -> { OCSP::Request.new }, -> { OCSP::Response.create(0, answer) },
  -> { OCSP::BasicResponse.new(answer.to_der) }, -> { answer.responses[0] }, -> { id.dup }, -> { Timestamp::Request.new },
  -> { Timestamp::Factory.new }
].freeze
CLASSES = [PKCS12, PKCS7, PKCS7::SignerInfo, PKCS7::RecipientInfo, OCSP::Request, OCSP::Response, OCSP::BasicResponse, OCSP::SingleResponse,
           OCSP::CertificateId, Timestamp::Request, Timestamp::Response, Timestamp::TokenInfo, Timestamp::Factory].freeze

class Odd
  def to_str = raise("to_str")
  def to_der = "0"
  def to_int = 2**40
end

ODD = [nil, true, 0, -1, 64, 2**31, 2**64, -2**64, 1.5, "", "\0", "a", "0\x03\x02\x01\x05", "x" * 70_000, :signed, [], [nil], [leaf], {}, Odd.new, Object.new,
       BasicObject.new, leaf, receiver, key, rsa, signed, id, answer, X509::Store.new, Time.at(0), OCSP::Request.allocate, PKCS7.allocate, X509::Certificate.new].freeze

random = Random.new((ENV["SEED"] || 7).to_i)
calls = 0
attempt = lambda do |object, name|
  count = object.method(name).arity
  count = count < 0 ? ~count + random.rand(4) : count
  arguments = Array.new(count) { ODD.sample(random: random) }
  # Numbers of iterations are not among them.
  arguments[2] = 3 if name == :set_mac && count > 2
  calls += 1
  object.public_send(name, *arguments)
rescue StandardError, NoMemoryError
  nil
end
(ENV["ROUNDS"] || (GC.stress ? 2 : 6)).to_i.times do
  MAKERS.each do |maker|
    object = maker.call
    (object.public_methods(false) + object.class.public_instance_methods(false)).uniq.shuffle(random: random).each { |name| 3.times { attempt.(object, name) } }
  end
  CLASSES.each do |one|
    object = one.allocate
    one.public_instance_methods(false).each { |name| attempt.(object, name) }
    6.times { attempt.(one, :new) }
    (one.singleton_methods(false) - %i[__made __cipher __flags]).each { |name| 6.times { attempt.(one, name) unless name == :create && one == PKCS12 } }
  end
  60.times { PKCS12.create(*Array.new(4 + random.rand(4)) { ODD.sample(random: random) }) rescue nil }
end
p calls > 500 # => true
puts "done" # => done
