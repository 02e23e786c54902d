# Zlib: checksums, deflate streams, gzip files.
begin
  require "zlib"
  require "stringio"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { [Zlib.crc32("hello"), Zlib.crc32("lo", Zlib.crc32("hel")), Zlib.adler32("hello" * 10_000), Zlib.crc32, Zlib.adler32] } # => [907060870, 907060870, 3025089024, 0, 1]
text = "hello world " * 1000
t { [Zlib.inflate(Zlib.deflate(text)) == text, Zlib.gunzip(Zlib.gzip(text)) == text, Zlib.deflate(text).bytesize < 200] } # => [true, true, true]
t { Zlib.inflate("x\x9C\xCBH\xCD\xC9\xC9W(\xCF/\xCAI\x01\x00\x1A\v\x04]".b) } # => "hello world"
t { Zlib::Inflate.inflate("garbage") } # => Zlib::DataError: incorrect header check
t { Zlib.inflate(Zlib.deflate(text)[0, 10]) } # => Zlib::BufError: buffer error
t { Zlib.gunzip("xx") } # => Zlib::GzipFile::Error: unexpected end of string
t { Zlib::GzipReader.new(StringIO.new("x" * 20)) } # => Zlib::GzipFile::Error: not in gzip format
t { io = StringIO.new; gz = Zlib::GzipWriter.new(io); gz.mtime = 1; gz.write("a\nb\n"); gz.puts("c"); gz.close; r = Zlib::GzipReader.new(StringIO.new(io.string)); [r.mtime.to_i, r.gets, r.read, r.eof?, r.lineno] } # => [1, "a\n", "b\nc\n", true, 1]
t { d = Zlib::Deflate.new; d << text; x = d.finish; d.close; i = Zlib::Inflate.new; r = +""; x.each_char { |c| r << i.inflate(c) }; [r == text, i.finished?, i.total_out] } # => [true, true, 12000]
t { x = Zlib::Deflate.new(9, -15).deflate(text, Zlib::FINISH); Zlib::Inflate.new(-15).inflate(x) == text } # => true
t { [Zlib::Inflate.new(47).inflate(Zlib.gzip(text)) == text, Zlib::Inflate.new(47).inflate(Zlib.deflate(text)) == text] } # => [true, true]
