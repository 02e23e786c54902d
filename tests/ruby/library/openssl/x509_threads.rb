# parallel: no, it starts threads and VMs of its own
# Objects of OpenSSL::X509 that threads share, read and change; the same in a VM.
begin
  require "openssl.so"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require_relative "_certificates"
include OpenSSL::X509

root, middle, leaf = [ROOT, MIDDLE, LEAF].map { |pem| Certificate.new(pem) }
store = Store.new
store.add_cert(root)
name = leaf.subject
config = OpenSSL::Config.parse("[a]\nb=c")
rounds = 10

def same?(expected) = yield == expected ? nil : :differs

threads = Array.new(6) do |i|
  Thread.new do
    Array.new(rounds) do |round|
      calls = 0
      [
        same?(true) { store.verify(leaf, [middle]) { |right, context| calls += context.chain.size; right } },
        (:no_callbacks if calls == 0),
        same?([["DC", "example", 22], ["CN", "leaf", 12]]) { name.to_a.first(2) },
        same?("c") { config.get_value("a", "b") },
        same?("DNS:leaf.example, IP Address:127.0.0.1") { leaf.extensions[2].value },
        same?(true) { OpenSSL::ASN1::ObjectId.register("1.2.840.99998.#{i}.#{round}", "short#{i}_#{round}", "long#{i}_#{round}") },
        same?("short#{i}_#{round}") { OpenSSL::ASN1::ObjectId("long#{i}_#{round}").sn }
      ].compact
    end
  end
end
p threads.flat_map(&:value).flatten.tally # => {}

# Some change what others read.
certificate = Certificate.new(LEAF)
writers = Array.new(3) do |i|
  Thread.new do
    rounds.times do |round|
      certificate.serial = i * 1000 + round
      certificate.subject = Name.new([["CN", "writer#{i}"]])
      certificate.extensions = [Extension.new("1.2.3.#{i}", "x" * round)]
      name.add_entry("OU", "#{i}")
      store.add_cert(middle)
    end
  end
end
readers = Array.new(3) do
  Thread.new do
    rounds.times.all? do
      ok = Certificate.new(certificate.to_der).subject.to_s.start_with?("/CN=writer", "/DC=example/CN=leaf")
      name.to_der
      certificate.to_text
      store.verify(certificate)
      certificate.extensions.each(&:value)
      ok
    end
  end
end
writers.each(&:join)
p readers.map(&:value).uniq # => [true]
p Name.new(name.to_der) == name # => true

vms = Array.new(2) do |i|
  RubyVM.new("x509 #{i}") do
    require "openssl.so"
    require_relative "_certificates"
    trusted = OpenSSL::X509::Store.new
    trusted.add_cert(OpenSSL::X509::Certificate.new(ROOT))
    certificate_here = OpenSSL::X509::Certificate.new(LEAF)
    chain = [OpenSSL::X509::Certificate.new(MIDDLE)]
    OpenSSL::ASN1::ObjectId.register("1.2.840.99997.1", "ofThisVM", "of this VM")
    [trusted.verify(certificate_here, chain) { |right, _| right }, OpenSSL::ASN1::ObjectId("ofThisVM").oid]
  end.start
end
p vms.map(&:value) # => [[true, "1.2.840.99997.1"], [true, "1.2.840.99997.1"]]
p OpenSSL::ASN1::ObjectId("ofThisVM").sn # => nil
