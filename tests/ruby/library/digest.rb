# Digest, CGI.escape, ERB.
begin
  require "digest"
  require "cgi"
  require "erb"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { %w[MD5 SHA1 SHA256 RMD160].map { |n| Digest.const_get(n).hexdigest("abc") } } # => ["900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"]
t { %w[MD5 SHA1 SHA256 SHA384 SHA512 RMD160].map { |n| d = Digest.const_get(n).new; [d.digest_length, d.block_length, d.update("a").update("b").hexdigest == d.class.hexdigest("ab")] } } # => [[16, 64, true], [20, 64, true], [32, 64, true], [48, 128, true], [64, 128, true], [20, 64, true]]
t { [Digest::SHA256.base64digest("x"), Digest::MD5.new.inspect, Digest::SHA2.new(384).hexdigest("")[0, 8]] } # => ["LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=", "#<Digest::MD5: d41d8cd98f00b204e9800998ecf8427e>", "38b060a7"]
t { d = Digest::MD5.new; d << "a"; e = d.dup; e << "b"; [d.to_s, e.to_s, d == e, d == d.hexdigest, d.reset.hexdigest] } # => ["0cc175b9c0f1b6a831c399e269772661", "187ef4436122d1cc2f40dc2b92f0eba0", false, true, "d41d8cd98f00b204e9800998ecf8427e"]
t { Digest::Base.new } # => NotImplementedError: Digest::Base is an abstract class
t { [CGI.escapeHTML("<a href='x'>&\"é"), CGI.unescapeHTML("&lt;&#39;&#x41;&amp;&quot;&eacute;&apos;")] } # => ["&lt;a href=&#39;x&#39;&gt;&amp;&quot;é", "<'A&\"&eacute;'"]
t { [CGI.escape("a b&c/é~*"), CGI.unescape("a+b%26%C3%A9")] } # => ["a+b%26c%2F%C3%A9~%2A", "a b&é"]
t { ERB.new("<% 3.times do |i| %>x<%= i %>,<% end %>\n<%# c %>y\n<%- if true -%>\nz\n<%- end -%>\n", trim_mode: "-").result } # => "x0,x1,x2,\ny\nz\n"
t { [ERB::Util.html_escape("<&>"), ERB::Util.url_encode("a b/é")] } # => ["&lt;&amp;&gt;", "a%20b%2F%C3%A9"]
