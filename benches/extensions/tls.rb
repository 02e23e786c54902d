# TLS on loopback within one process, checked: `handshakes THREADS CONNECTIONS`, or `bulk THREADS MEGABYTES`, each thread with a
# connection of its own of which it does both ends. With our own native part of openssl, or with the gem's; any Ruby runs it:
#
#     asterism benches/extensions/tls.rb handshakes 8 10000
require "openssl"
require "socket"

key = OpenSSL::PKey::EC.generate("prime256v1")
certificate = OpenSSL::X509::Certificate.new
certificate.version = 2
certificate.serial = 1
certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=localhost")
certificate.public_key = key
certificate.not_before = Time.now - 60
certificate.not_after = Time.now + 3600
certificate.sign(key, "SHA256")
SERVER = OpenSSL::SSL::SSLContext.new
SERVER.cert = certificate
SERVER.key = key
CLIENT = OpenSSL::SSL::SSLContext.new
CLIENT.cert_store = OpenSSL::X509::Store.new.tap { |store| store.add_cert(certificate) }
CLIENT.verify_mode = OpenSSL::SSL::VERIFY_PEER
CLIENT.verify_hostname = false
PIECE = 16_384

def socket(plain, context)
  OpenSSL::SSL::SSLSocket.new(plain, context).tap { |ssl| ssl.sync_close = true }
end

# What is sent comes back reversed.
def handshakes(threads, total, certificate)
  listener = TCPServer.new("127.0.0.1", 0)
  port = listener.addr[1]
  threads.times do
    Thread.new do
      loop do
        ssl = socket(listener.accept, SERVER)
        ssl.accept
        ssl.write(ssl.gets.reverse)
        ssl.close
      end
    end
  end
  left = Queue.new
  total.times { |i| left << "hello #{i}" }
  left.close
  Array.new(threads) do
    Thread.new do
      while (text = left.pop)
        ssl = socket(TCPSocket.new("127.0.0.1", port), CLIENT)
        ssl.connect
        ssl.write("#{text}\n")
        got = ssl.read
        raise "got #{got.inspect}" unless got == "\n#{text.reverse}" && ssl.peer_cert.to_der == certificate.to_der
        ssl.close
      end
    end
  end.each(&:join)
end

# Seconds that the thread has been ready to run without a processor; nil where the system does not tell.
def unserved
  File.read("/proc/thread-self/schedstat").split[1].to_i / 1e9
rescue SystemCallError
  nil
end

# What each thread was left without a processor.
def bulk(pairs, pieces)
  text = OpenSSL::Random.random_bytes(PIECE).freeze
  pairs.map do |server, client|
    Thread.new do
      before = unserved
      pieces.times do
        server.syswrite(text)
        got = +""
        got << client.sysread(PIECE - got.bytesize) while got.bytesize < PIECE
        raise "other bytes" unless got == text
      end
      before && unserved - before
    end
  end.map(&:value)
end

kind, threads, amount = ARGV[0], Integer(ARGV[1]), Integer(ARGV[2])
pairs = Array.new(kind == "bulk" ? threads : 0) do
  ends = UNIXSocket.pair
  server = Thread.new { socket(ends[0], SERVER).tap(&:accept) }
  client = socket(ends[1], CLIENT).tap(&:connect)
  [server.value, client]
end
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
waits = kind == "bulk" ? bulk(pairs, amount * 1_000_000 / PIECE) : handshakes(threads, amount, certificate)
seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
done = kind == "bulk" ? amount * threads : amount
puts "#{(done / seconds).round} #{kind == "bulk" ? "MB" : "connections"} a second with #{threads} threads"
# On a machine that others use: what it would have been with a processor for each thread.
if kind == "bulk" && waits.all?
  puts "#{waits.sum { |wait| amount / (seconds - wait) }.round} MB a second without the time that threads waited for a processor"
end
