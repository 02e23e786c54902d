# Methods of keys, groups, points and numbers with arguments that they are not made for: errors, and nothing else.
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

PKey = OpenSSL::PKey
RSA, EC = PKey::RSA, PKey::EC
rsa = PKey.generate_key("RSA", rsa_keygen_bits: 512)
ec = EC.generate("prime256v1")
group = ec.group
small = EC::Group.new(:GFp, 17, 2, 2)
ed = PKey.new_raw_private_key("ED25519", "x" * 32)
objects = [rsa, ec, ed, group, small, group.generator, EC::Point.new(small, "\4\5\1"), OpenSSL::BN.new(7)]
blank = [RSA, EC, PKey::DH, PKey::DSA, PKey::PKey, EC::Group, EC::Point, OpenSSL::BN].map(&:allocate)
odd = [
  nil, true, 0, -1, 1, 2**31, 2**64, -2**70, 1.5, "", "a\0b", "\xff" * 40, "SHA256", "x" * 300, :compressed, [1],
  {}, { "a" => 1 }, { 1 => nil }, Object.new, Class, OpenSSL::Digest.new("SHA1"), *objects, *blank
]
# What takes memory or time as it is told to.
costly = %i[<< lshift! set_bit! ** prime? prime_fasttest? make_affine!]
random = Random.new(1)
errors = [StandardError, NotImplementedError]

called = 0
(objects + blank).each do |object|
  classes = object.class.ancestors.take_while { |c| c != Object }.select { |c| c.name.start_with?("OpenSSL::") }
  methods = classes.flat_map { |c| c.instance_methods(false) } - costly
  methods.uniq.each do |name|
    method = object.method(name)
    most = method.arity < 0 ? ~method.arity + 2 : method.arity
    (most + 1).times do |count|
      arguments = Array.new(count) { odd[random.rand(odd.size)] }
      target = object.class.allocate
      target.send(:initialize_copy, object) rescue nil
      called += 1
      begin
        target.public_send(name, *arguments)
      rescue *errors
        next
      rescue Exception => e
        puts "#{object.class}##{name}: #{e.class}"
      end
    end
  end
end

[RSA, PKey::DSA, PKey::DH, EC, EC::Group, EC::Point, OpenSSL::BN].each do |klass|
  60.times do |i|
    called += 1
    klass.new(*Array.new(i % 5) { odd[random.rand(odd.size)] })
  rescue *errors
    next
  end
end
%i[read new_raw_private_key new_raw_public_key generate_key].each do |name|
  60.times do |i|
    called += 1
    PKey.public_send(name, *Array.new(1 + i % 2) { odd[random.rand(odd.size)] })
  rescue *errors
    next
  end
end
KDF = OpenSSL::KDF
{ pbkdf2_hmac: %i[salt iterations length hash], hkdf: %i[salt info length hash] }.each do |name, keys|
  few = odd.reject { |value| value.is_a?(Integer) && value == 2**31 }
  60.times do
    called += 1
    KDF.public_send(name, few[random.rand(few.size)], **keys.to_h { |key| [key, few[random.rand(few.size)]] })
  rescue *errors
    next
  end
end
60.times do
  called += 1
  costs = %i[salt N r p length].to_h { |key| [key, [0, -1, 1, 2, 3, 16, 2**64, nil, "x", 1.5][random.rand(10)]] }
  KDF.scrypt("x", **costs)
rescue *errors
  next
end
puts called > 1000 # => true
puts rsa.verify("SHA256", rsa.sign("SHA256", "x"), "x") # => true
puts ec.verify("SHA256", ec.sign("SHA256", "x"), "x") # => true

# The library cannot compare groups without a generator.
bare = OpenSSL::PKey::EC::Group.new(:GFp, 23, 1, 1)
p bare == OpenSSL::PKey::EC::Group.new("prime256v1"), bare == bare # => false
# => true
p bare == OpenSSL::PKey::EC::Group.new(:GFp, 23, 1, 1) # => true
