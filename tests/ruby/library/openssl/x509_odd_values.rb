# Each method of ASN1, Config, X509 and Netscape with values that it is not made for, on objects that are whole, new, or never initialized:
# exceptions, and nothing else.
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require_relative "_certificates"
$VERBOSE = nil

X509 = OpenSSL::X509
ASN1 = OpenSSL::ASN1
SPKI = OpenSSL::Netscape::SPKI
CLASSES = [
  X509::Certificate, X509::Name, X509::CRL, X509::Request, X509::Store, X509::StoreContext, X509::Extension, X509::Attribute, X509::Revoked,
  X509::ExtensionFactory, SPKI, OpenSSL::Config, ASN1::ASN1Data, ASN1::Primitive, ASN1::Sequence, ASN1::Integer, ASN1::BitString,
  ASN1::ObjectId, ASN1::UTCTime, ASN1::EndOfContent
]
WHOLE = {
  X509::Certificate => -> { X509::Certificate.new(LEAF) }, X509::CRL => -> { X509::CRL.new(REVOCATIONS) },
  X509::Request => -> { X509::Request.new(REQUEST) }, SPKI => -> { SPKI.new(SIGNED_KEY) },
  X509::Extension => -> { X509::Extension.new("basicConstraints", "x") }, X509::StoreContext => -> { X509::StoreContext.new(X509::Store.new) },
  X509::Attribute => -> { X509::Attribute.new("CN", ASN1::Set([])) }
}
ODD = [
  nil, true, -1, 2**31, 2**64, 1.5, "", "a\0b", "\xff".b * 40, "CN", LEAF, :symbol, [nil], [["CN", "x"]], {}, BasicObject, Time.at(0), 1..2,
  OpenSSL::BN.allocate, OpenSSL::BN.new(5), ASN1::Null(nil), OpenSSL::Digest.allocate, *CLASSES.map(&:allocate), *WHOLE.values.map(&:call)
]

def try(object, method, *arguments)
  object.__send__(method, *arguments) { false }
  1
rescue NoMemoryError, SystemExit
  raise
rescue Exception
  1
end

random = Random.new(1)
tried = 0
CLASSES.each do |of|
  methods = of.instance_methods(false) + [:initialize, :initialize_copy]
  methods.each do |method|
    [-> { of.allocate }, -> { of.new }, WHOLE[of]].compact.each do |make|
      [[], *ODD.sample(6, random:).map { |odd| [odd] }, ODD.sample(2, random:), ODD.sample(3, random:)].each do |arguments|
        object = make.call rescue of.allocate
        tried += try(object, method, *arguments)
      end
    end
  end
end
[ASN1, X509, X509::Certificate, OpenSSL::Config].each do |of|
  (of.singleton_methods(false) - [:allocate]).each { |method| ODD.each { |odd| tried += try(of, method, odd) } }
end
p tried > 3000 # => true
