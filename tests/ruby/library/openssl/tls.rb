# TLS over socket pairs: what is agreed on, what is refused, what callbacks raise, threads that wait.
begin
  require "openssl"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require "socket"
require "timeout"

KEY = OpenSSL::PKey::EC.generate("prime256v1")

def certificate(name)
  OpenSSL::X509::Certificate.new.tap do |made|
    made.version = 2
    made.serial = 1
    made.subject = made.issuer = OpenSSL::X509::Name.parse("/CN=#{name}")
    made.public_key = KEY
    made.not_before = Time.now - 60
    made.not_after = Time.now + 3600
    made.sign(KEY, "SHA256")
  end
end

CERTIFICATE = certificate("localhost")

def server(**settings)
  OpenSSL::SSL::SSLContext.new.tap do |context|
    context.cert = CERTIFICATE
    context.key = KEY
    settings.each { |name, value| context.public_send(:"#{name}=", value) }
  end
end

def client(**settings)
  OpenSSL::SSL::SSLContext.new.tap do |context|
    context.cert_store = OpenSSL::X509::Store.new.tap { |store| store.add_cert(CERTIFICATE) }
    context.verify_mode = OpenSSL::SSL::VERIFY_PEER
    settings.each { |name, value| context.public_send(:"#{name}=", value) }
  end
end

# Both ends of a connection, or what went wrong at each.
def connect(server, client, name = nil)
  ends = Socket.pair(:UNIX, :STREAM).zip([server, client]).map { |io, context| OpenSSL::SSL::SSLSocket.new(io, context) }
  ends.each { |ssl| ssl.sync_close = true }
  ends[1].hostname = name if name
  [:accept, :connect].zip(ends).map { |step, ssl| Thread.new { ssl.public_send(step) rescue $! } }.map(&:value)
end

there, here = connect(server, client)
p [there.ssl_version, here.ssl_version] # => ["TLSv1.3", "TLSv1.3"]
p here.peer_cert.to_der == CERTIFICATE.to_der # => true
here.puts "hello", "world"
p [there.gets, there.gets] # => ["hello\n", "world\n"]
there.write("x" * 100_000)
there.close
p here.read == "x" * 100_000 # => true
p here.closed? # => false
here.close
p here.closed? # => true
p (here.write("x") rescue $!.class) # => IOError

# A name that is not the certificate's, and one that nobody trusts.
_, failed = connect(server, client(verify_hostname: true), "example.org")
p failed.message[/certificate verify failed \(.*\)/] # => "certificate verify failed (hostname mismatch)"
there, failed = connect(server(cert: certificate("other")), client)
p failed.message[/certificate verify failed \(.*\)/] # => "certificate verify failed (self-signed certificate)"
p there.class # => OpenSSL::SSL::SSLError
p connect(server, client(verify_hostname: true), "localhost").map(&:class) # => [OpenSSL::SSL::SSLSocket, OpenSSL::SSL::SSLSocket]

# Protocols, and a context by name.
there, here = connect(server(alpn_select_cb: ->(list) { list.last }), client(alpn_protocols: %w[h2 http/1.1]))
p [there.alpn_protocol, here.alpn_protocol] # => ["http/1.1", "http/1.1"]
other = server(cert: certificate("other"))
there, here = connect(server(servername_cb: ->((_, name)) { name == "other" ? other : nil }), client(verify_mode: 0), "other")
p here.peer_cert.subject.to_s # => "/CN=other"
p there.context.equal?(other) # => true

# What callbacks raise is raised by the method that made the library call them.
failed, = connect(server(alpn_select_cb: ->(_) { raise "no protocol" }), client(alpn_protocols: %w[h2]))
p failed # => #<RuntimeError: no protocol>
seen = []
_, here = connect(server, client(verify_callback: ->(ok, context) { seen << [ok, context.error_string, context.current_cert.subject.to_s]; $kept = context; ok }))
p seen.last # => [true, "ok", "/CN=localhost"]
p ($kept.current_cert rescue $!.message) # => "the object was lent to a callback that has returned"

# A session that is continued.
sessions = Queue.new
serving = server
taking = client(session_new_cb: ->((_, session)) { sessions << session }, session_cache_mode: OpenSSL::SSL::SSLContext::SESSION_CACHE_CLIENT)
there, here = connect(serving, taking)
there.write("x")
here.read(1)
session = sessions.pop
io, peer = Socket.pair(:UNIX, :STREAM)
again = OpenSSL::SSL::SSLSocket.new(io, taking)
again.session = OpenSSL::SSL::Session.new(session.to_der)
accepting = Thread.new { OpenSSL::SSL::SSLSocket.new(peer, serving).accept }
again.connect
accepting.join
p again.session_reused? # => true

# Nothing comes: what does not wait says so, what waits can be ended, by other threads too.
there, here = connect(server, client)
p (here.read_nonblock(10) rescue $!.class) # => OpenSSL::SSL::SSLErrorWaitReadable
p here.read_nonblock(10, exception: false) # => :wait_readable
p (Timeout.timeout(0.05) { here.read(10) } rescue $!.class) # => Timeout::Error
waiting = Thread.new { here.read(10) }
sleep 0.01 until waiting.stop?
there.write("still both")
p waiting.value # => "still both"
waiting = Thread.new { here.sysread(10) }
sleep 0.01 until waiting.stop?
p waiting.kill.join.value # => nil

# One connection, written by several threads and read by another: no record is torn.
reading = Thread.new { here.read }
4.times.map { |i| Thread.new { 200.times { there.syswrite(i.to_s * 50) } } }.each(&:join)
there.close
p reading.value.scan(/.{50}/).tally.sort # => [["00000000000000000000000000000000000000000000000000", 200], ["11111111111111111111111111111111111111111111111111", 200], ["22222222222222222222222222222222222222222222222222", 200], ["33333333333333333333333333333333333333333333333333", 200]]

# Objects that were not initialized, and wrong ones.
p (OpenSSL::SSL::SSLSocket.allocate.connect rescue $!.class) # => IOError
p (OpenSSL::SSL::SSLSocket.new(1) rescue $!.message) # => "wrong argument type Integer (expected File)"
p (OpenSSL::SSL::SSLSocket.allocate.ssl_version rescue $!.message) # => "SSL wasn't initialized!"
p (OpenSSL::SSL::Session.new("nonsense") rescue $!.class) # => OpenSSL::SSL::Session::SessionError

# Threads that take a new context into use together find it whole.
p 20.times.flat_map { context = server; 4.times.map { Thread.new { connect(context, client) } }.flat_map(&:value) }.map(&:class).uniq # => [OpenSSL::SSL::SSLSocket]
