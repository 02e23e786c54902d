# A server of TLS, Net::HTTP as its client, and `gem install` from an index that it serves.
# parallel: no, it starts processes
begin
  require "openssl"
  require "net/http"
  require "tmpdir"
  require "zlib"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
unless defined?(Gem)
  puts "skipped: RubyGems is not installed"
  exit
end

KEY = OpenSSL::PKey::RSA.new(2048)
CERTIFICATE = OpenSSL::X509::Certificate.new.tap do |made|
  made.version = 2
  made.serial = 1
  made.subject = made.issuer = OpenSSL::X509::Name.parse("/CN=localhost")
  made.public_key = KEY
  made.not_before = Time.now - 60
  made.not_after = Time.now + 3600
  extensions = OpenSSL::X509::ExtensionFactory.new(made, made)
  made.add_extension(extensions.create_extension("subjectAltName", "DNS:localhost"))
  made.add_extension(extensions.create_extension("basicConstraints", "CA:TRUE", true))
  made.sign(KEY, "SHA256")
end

# Answers each request of a connection with a file.
def serve(connection, folder)
  while (line = connection.gets)
    nil until connection.gets == "\r\n"
    file = File.join(folder, line.split[1])
    found = File.file?(file)
    body = found ? File.binread(file) : ""
    connection.write("HTTP/1.1 #{found ? "200 OK" : "404 Not Found"}\r\nContent-Length: #{body.bytesize}\r\n\r\n")
    connection.write(body) unless line.start_with?("HEAD")
  end
rescue OpenSSL::SSL::SSLError, SystemCallError
  # The client has gone.
ensure
  connection.close
end

def put(file, text)
  require "fileutils"
  FileUtils.mkdir_p(File.dirname(file))
  File.binwrite(file, text)
end

def index(folder, spec, file)
  put("#{folder}/gems/#{File.basename(file)}", File.binread(file))
  listed = Zlib.gzip(Marshal.dump([[spec.name, spec.version, "ruby"]]))
  put("#{folder}/specs.4.8.gz", listed)
  put("#{folder}/latest_specs.4.8.gz", listed)
  put("#{folder}/prerelease_specs.4.8.gz", Zlib.gzip(Marshal.dump([])))
  put("#{folder}/quick/Marshal.4.8/#{spec.full_name}.gemspec.rz", Zlib.deflate(Marshal.dump(spec)))
end

Dir.mktmpdir do |dir|
  File.write("#{dir}/ca.pem", CERTIFICATE.to_pem)
  put("#{dir}/lib/greets.rb", "module Greets; V = 7; end\n")
  spec = Gem::Specification.new do |s|
    s.name = "greets"
    s.version = "1.2"
    s.summary = "greets"
    s.authors = ["nobody"]
    s.license = "MIT"
    s.homepage = "http://localhost"
    s.files = ["lib/greets.rb"]
  end
  require "rubygems/package"
  Dir.chdir(dir) { Gem::DefaultUserInteraction.use_ui(Gem::SilentUI.new) { index(dir, spec, Gem::Package.build(spec)) } }

  context = OpenSSL::SSL::SSLContext.new
  context.add_certificate(CERTIFICATE, KEY)
  server = OpenSSL::SSL::SSLServer.new(TCPServer.new("localhost", 0), context)
  server.start_immediately = false
  port = server.to_io.addr[1]
  Thread.new do
    loop do
      connection = server.accept
      Thread.new do
        connection.accept
        serve(connection, dir)
      rescue OpenSSL::SSL::SSLError
        # The client does not trust this server.
        connection.close
      end
    end
  end

  http = Net::HTTP.new("localhost", port)
  http.use_ssl = true
  p (http.get("/ca.pem") rescue $!.message[/certificate verify failed/]) # => "certificate verify failed"
  http.ca_file = "#{dir}/ca.pem"
  p http.get("/ca.pem").body == CERTIFICATE.to_pem # => true
  p http.get("/none").code # => "404"

  env = {"GEM_HOME" => "#{dir}/home", "GEM_PATH" => nil, "RUBYOPT" => nil, "HOME" => dir, "SSL_CERT_FILE" => "#{dir}/ca.pem"}
  gem = ["-e", 'require "rubygems/gem_runner"; Gem::GemRunner.new.run(ARGV)', "--"]
  install = %W[install greets --no-document --clear-sources --source https://localhost:#{port}/]
  puts IO.popen([env, RbConfig.ruby, *gem, *install, {err: %i[child out]}], &:read)[/Success.*|ERROR.*/] # => Successfully installed greets-1.2
  puts IO.popen([env, RbConfig.ruby, "-e", 'require "greets"; p Greets::V'], &:read) # => 7
end
