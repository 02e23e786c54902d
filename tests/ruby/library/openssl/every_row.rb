# Each C function of the tables with all kinds of arguments, right and wrong, in several threads: errors, and nothing else. Builds with
# debug assertions have a way to call them.
begin
  require "openssl"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require_relative "_certificates"

# What waits for somebody, works for hours with great numbers, writes files, changes what all others use, or takes commands by number.
AVOIDED = /\A(?:RAND_|OSSL_PROVIDER_|EVP_default_properties_enable_fips|OBJ_create|SSL_CTX_load_verify|openssl_store_add|X509_STORE_set_default|SSL_set_fd|ssl_context_[gs]et|BN_generate_prime|EVP_PKEY_assign_EC_KEY)/
SLOW = /prime|PKCS12|scrypt|PBKDF|KDF|paramgen|keygen|BN_(?:exp|lshift|rand|set_bit|mask|mod_exp)|EC_GROUP_new_curve|EC_GROUP_set_generator|generate|security_level/

ROWS = (OpenSSL.respond_to?(:__rows, true) ? OpenSSL.__send__(:__rows) : []).reject { |name,| AVOIDED.match?(name) }
SMALL = [-2, -1, 0, 1, 2, 3, 5, 6, 13, 22, 64, 128, 415, 672].freeze
GREAT = [255, 4096, 65_537, 2**31 - 1, -2**31, 2**31, 2**62, 2**63 - 1, -2**63, 2**63, 2**64 - 1, 2**64, -2**70].freeze
TEXTS = ["", "\0", "a", "-1", "0", "SHA256", "AES-128-CBC", "P-256", "prime256v1", "1.2.3.4", "rsaEncryption", "CN", "RSA", "priv", "pub",
         "x" * 70_000, "\xff" * 16, "\x30\x03\x02\x01\x05".b, "\x30\x84\xff\xff\xff\xff".b, "\x30\x80\x00\x00".b, "\x06\x01\x2a".b,
         *[ROOT, MIDDLE, LEAF, REVOCATIONS, REQUEST, LEAF_KEY], ROOT.lines[1..-2].join.unpack1("m"), LEAF_KEY.lines[1..-2].join.unpack1("m"),
         "-----BEGIN PKCS7-----\nMAsGCSqGSIb3DQEHAg==\n-----END PKCS7-----\n"].map { |text| text.dup.freeze }.freeze

class Odd
  def to_str = raise("to_str")
  def to_int = 7
  def to_ary = [self]
end

CLASSES = OpenSSL.constants.filter_map { |name| one = OpenSSL.const_get(name); one if Class === one && !(one <= Exception) }
ODD = [nil, true, 1.5, :symbol, [], [nil], [[]], {}, Odd.new, BasicObject.new, Object.new, -> { "secret" }, ->(_) { raise "asked" },
       *CLASSES.filter_map { |one| one.allocate rescue nil }].freeze

def fitting(random, arg, pool, slow)
  case arg
  when /\A(?:Ref|Mut|Opt|Give|Copy|OptCopy)\((\w+)\)/ then READY[$1]&.call || pool[$1].sample(random: random)
  when /\AStack\((\w+)\)/ then Array.new(random.rand(3)) { pool[$1].sample(random: random) }
  when "Int", "Long", "Word", "RoomLength", "LengthRoom" then (slow || random.rand(4) > 0 ? SMALL : GREAT).sample(random: random)
  when "Password" then ["", "secret", -> { "secret" }, ->(_) { Fiber.new { 1 }.resume; "secret" }, ->(_) { raise "asked" }].sample(random: random)
  else TEXTS.sample(random: random)
  end
end

# Contexts that are good for nothing before they are set up, which Ruby does at once.
READY = {
  "CipherContext" => -> { OpenSSL::Cipher.new("AES-128-CBC").encrypt }, "DigestContext" => -> { OpenSSL::Digest.new("SHA256") }
}.freeze

# What takes some steps to make: all threads have these together.
def prepared
  key, rsa = OpenSSL::PKey.read(LEAF_KEY), OpenSSL::PKey::RSA.generate(1024)
  list = [key, rsa].map do |one|
    made = OpenSSL::X509::Certificate.new
    made.version = 2
    made.subject = made.issuer = OpenSSL::X509::Name.new([["CN", "made"]])
    made.public_key = one
    made.not_before = Time.at(0)
    made.not_after = Time.at(4_000_000_000)
    made.add_extension(OpenSSL::X509::ExtensionFactory.new.create_ext("extendedKeyUsage", "timeStamping", true))
    made.sign(one, "SHA256")
  end
  ids = list.map { |one| OpenSSL::OCSP::CertificateId.new(one, list[0]) }
  answer = OpenSSL::OCSP::BasicResponse.new
  answer.add_status(ids[0], 0, nil, nil, -5, 5, nil)
  answer.add_status(ids[1], 1, 1, -5, -5, nil, nil)
  answer.sign(list[0], key, list)
  question = OpenSSL::Timestamp::Request.new
  question.algorithm = "SHA256"
  question.message_imprint = "x" * 32
  factory = OpenSSL::Timestamp::Factory.new
  factory.gen_time, factory.serial_number, factory.allowed_digests, factory.default_policy_id = Time.at(0), 1, ["SHA256"], "1.2.3"
  stamp = factory.create_timestamp(key, list[0], question)
  signed = OpenSSL::PKCS7.sign(list[0], key, "text", list)
  closed = OpenSSL::PKCS7.encrypt([list[1]], "text", "AES-128-CBC")
  store = OpenSSL::X509::Store.new
  list.each { |one| store.add_cert(one) }
  {
    "Key" => [key, rsa], "Certificate" => list, "CertificateId" => ids, "OcspBasic" => [answer], "OcspSingle" => answer.responses,
    "OcspResponse" => [OpenSSL::OCSP::Response.create(0, answer)], "TsRequest" => [question], "TsResponse" => [stamp],
    "TsToken" => [stamp.token_info], "Pkcs7" => [signed, closed, stamp.token], "Signer" => signed.signers,
    "Recipient" => [OpenSSL::PKCS7::RecipientInfo.new(list[1]), *closed.recipients], "Store" => [store],
    "Pkcs12" => [OpenSSL::PKCS12.create("", "name", key, list[0], list)], "Crl" => [OpenSSL::X509::CRL.new(REVOCATIONS)]
  }
end

def keep(pool, name, ret, result)
  # A key that nothing has been put into.
  return if name == "EVP_PKEY_new"
  found = Array === result ? result : [result]
  kinds = ret.scan(/\((\w+)\)/).flatten - READY.keys
  kinds.each { |kind| found.each { |one| pool[kind] << one if Object.instance_method(:class).bind_call(one) == Object } }
end

def work(seed, rounds, shared)
  random = Random.new(seed)
  pool = Hash.new { |hash, kind| hash[kind] = [] }
  pool.update(shared.transform_values(&:dup))
  # What is made without an argument, or of a text, is there from the beginning.
  seeds = ROWS.select { |_, args, ret| /\A(?:New|Get)/.match?(ret) && args.all? { |arg| /Der|Source|Text|Bytes|Password|Int/.match?(arg) } }
  calls = 0
  one = lambda do |(name, args, ret), good|
    slow = SLOW.match?(name)
    arguments = args.map do |arg|
      odd = random.rand >= good && (arg != "Password")
      odd ? (random.rand(3) == 0 && !slow ? GREAT : ODD).sample(random: random) : fitting(random, arg, pool, slow)
    end
    arguments.pop if random.rand(50) == 0 && args.last != "Password"
    # Numbers stay small, as some functions raise them to one another.
    arguments.map!.with_index { |value, i| /Bignum/.match?(args[i].to_s) && !value.nil? && value.class == Object ? number(random) : value } rescue nil
    calls += 1
    $stderr.write("#{name}(#{arguments.map { |v| String === v ? v[0, 40].dump + v.size.to_s : BasicObject === v && !(Object === v) ? :basic : v.inspect[0, 60] }.join(", ")})\n") if ENV["LOG"]
    keep(pool, name, ret, OpenSSL.__send__(:__row, [nil, OpenSSL::OpenSSLError, [OpenSSL::OpenSSLError, "x"]].sample(random: random), name.to_sym, arguments))
  rescue StandardError, NotImplementedError, NoMemoryError
    pool.each { |kind, list| list.slice!(shared.fetch(kind, []).size, 30) if list.size > 60 }
  end
  seeds.each { |row| 8.times { one.(row, 1.0) } }
  # Each text is read as whatever it may be.
  ROWS.each do |name, args, ret|
    next unless ret.start_with?("New") && args.count { |arg| arg != "Password" } == 1 && /Source|Der/.match?(args[0])
    TEXTS.each { |text| keep(pool, name, ret, OpenSSL.__send__(:__row, OpenSSL::OpenSSLError, name.to_sym, [text, ""])) rescue nil }
  end
  rounds.times do
    ROWS.shuffle(random: random).each { |row| 2.times { one.(row, 0.93) } }
  end
  calls
end

def number(random) = OpenSSL.__send__(:__row, nil, :BN_bin2bn, [random.bytes(random.rand(3))])

shared = prepared
calls = (ROWS.empty? ? 0 : ENV["THREADS"] || (GC.stress ? 2 : 4)).to_i.times.map { |i| Thread.new { work((ENV["SEED"] || 1).to_i + i, (ENV["ROUNDS"] || (GC.stress ? 0 : 2)).to_i, shared) } }.sum(&:value)
p calls if ENV["ROUNDS"]
puts "done" # => done
