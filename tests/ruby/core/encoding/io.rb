# Streams with encodings: what is converted when it is read and written, byte order marks, line ends.
path = "/tmp/asterism-encoding-#{$$}-#{Thread.current.object_id}"
File.binwrite(path, "caf\xE9\nna\xEFve\n".b)
p File.read(path, encoding: "iso-8859-1:utf-8") # => "café\nnaïve\n"
File.open(path, "r:iso-8859-1:utf-8") { |f| p f.external_encoding, f.internal_encoding, f.gets, f.getc, f.read }
# => #<Encoding:ISO-8859-1>
# => #<Encoding:UTF-8>
# => "café\n"
# => "n"
# => "aïve\n"
File.open(path, "w:utf-16le") { |f| f.puts "aé", "b"; f.print "y" }
p File.binread(path).bytes # => [97, 0, 233, 0, 10, 0, 98, 0, 10, 0, 121, 0]
File.open(path, "rb:utf-16le:utf-8") { |f| p f.gets, f.gets, f.gets, f.gets }
# => "aé\n"
# => "b\n"
# => "y"
# => nil
File.open(path, "w:iso-8859-1") do |f|
  f.write "あ"
rescue Encoding::UndefinedConversionError => e
  puts e.message # => U+3042 from UTF-8 to ISO-8859-1
end
File.binwrite(path, "\xEF\xBB\xBFabc".b)
p File.read(path, mode: "r:BOM|utf-8") # => "abc"
File.open(path, "rb") { |f| p f.set_encoding_by_bom, f.read } # => #<Encoding:UTF-8>
# => "abc"
File.binwrite(path, "a\r\nb\rc\n")
File.open(path, "rt") { |f| p f.read } # => "a\nb\nc\n"
File.open(path, "w", crlf_newline: true) { |f| f.puts "a", "b" }
p File.binread(path) # => "a\r\nb\r\n"
File.binwrite(path, "a\xFFb".b)
p File.read(path, encoding: "utf-8:utf-16le", invalid: :replace, replace: "?").encode("utf-8") # => "a?b"
begin
  File.open(path, "r:utf-16le")
rescue ArgumentError => e
  puts e.message # => ASCII incompatible encoding needs binmode
end
r, w = IO.pipe("iso-8859-1:utf-8")
w << "\xE9".b
w.close
p r.read # => "é"
r.close
io = File.open(path)
copy = io.dup
io.close
p copy.read.bytes # => [97, 255, 98]
copy.close
File.delete(path)
io = IO.popen("cat", "r+")
io.write "bar"
p io.read(3) # => "bar"
io.close
begin
  Process.clock_gettime(:NO_SUCH_CLOCK)
rescue Errno::EINVAL => e
  puts e.message # => Invalid argument - clock_gettime(:NO_SUCH_CLOCK)
end
io = IO.popen("cat > /dev/null", "w")
io.write "x"
io.close
p $?.success? # => true
