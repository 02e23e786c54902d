# Output in pieces, arguments that are out of range, checksums of two texts.
require "zlib"
require "stringio"
require "tempfile"

input = Random.new(0).bytes(100_000)
pieces = []
packed = Zlib::Deflate.new.then { |z| z.deflate(input, Zlib::FINISH) { |piece| pieces << piece }; pieces.join }
p pieces[..-2].map(&:size).uniq, Zlib.inflate(packed) == input # => [16384]
# => true
z = Zlib::Deflate.new
first = nil
z.deflate(input) { |piece| first = piece; break }
p first.size, Zlib.inflate(first + z.finish) == input # => 16384
# => true
sizes = []
zeros = Zlib.deflate("0" * 100_000)
Zlib::Inflate.new.inflate(zeros) { |piece| sizes << piece.size }
p sizes # => [16384, 16384, 16384, 16384, 16384, 16384, 1696]

[[:Deflate, 11], [:Deflate, 6, 16], [:Inflate, -1], [:Inflate, 7], [:Inflate, 48]].each do |name, *args|
  Zlib.const_get(name).new(*args)
rescue Zlib::StreamError => e
  puts e.message # => stream error
  # => stream error
  # => stream error
  # => stream error
  # => stream error
end

a, b = "abc" * 100, "defg" * 77
p Zlib.crc32_combine(Zlib.crc32(a), Zlib.crc32(b), b.size) == Zlib.crc32(a + b) # => true
p Zlib.adler32_combine(Zlib.adler32(a), Zlib.adler32(b), b.size) == Zlib.adler32(a + b) # => true

Tempfile.create("zlib") do |file|
  gz = Zlib::GzipWriter.open(file.path)
  gz.orig_name = "name\0more"
  gz.comment = "why"
  gz.print "text"
  p gz.path == file.path, gz.sync # => true
  # => false
  gz.close
  p gz.close # => nil
  Zlib::GzipReader.open(file.path) do |reader|
    p reader.orig_name, reader.comment, reader.read, reader.path == file.path # => "name"
    # => "why"
    # => "text"
    # => true
    reader.close
    p reader.close # => nil
  end
end
begin
  Zlib::GzipReader.new(StringIO.new("foo"))
rescue Zlib::GzipFile::Error => e
  p e.message, e.input # => "not in gzip format"
  # => "foo"
end
p Zlib::GzipWriter.new(StringIO.new).respond_to?(:path) # => false
# Paragraphs; what is put back before the beginning; what is read from need not be an IO.
gz = Zlib::GzipReader.new(StringIO.new(Zlib.gzip("\n\n\n123\n45\n\n\n\nabc\nde\n\n\n")))
p gz.gets(""), gz.gets(""), gz.eof?, gz.lineno # => "123\n45\n\n"
# => "abc\nde\n\n"
# => true
# => 2
gz.rewind
p gz.ungetc("ä"), gz.pos, gz.getc, gz.pos, gz.ungetbyte(65), gz.pos, gz.readchar # => nil
# => -2
# => "ä"
# => 0
# => nil
# => -1
# => "A"
gz.rewind
p gz.pos, gz.read(4), gz.ungetbyte(49), gz.pos, gz.read(2) # => 0
# => "\n\n\n1"
# => nil
# => 3
# => "12"
source = Object.new
source.instance_variable_set(:@io, StringIO.new(Zlib.gzip("text" * 50_000)))
def source.read(length) = @io.read(length)
p Zlib::GzipReader.new(source).read == "text" * 50_000 # => true

# A block that is given the output of a stream must not use the stream.
def recursive = (yield; nil) rescue $!.class
text = Random.new(1).bytes(1 << 17)
packed = Zlib.deflate(text)
deflater, inflater = Zlib::Deflate.new, Zlib::Inflate.new
p recursive { deflater.deflate(text) { deflater.deflate(text) } }, recursive { inflater.inflate(packed) { inflater.inflate(packed) } } # => ThreadError
# => ThreadError

# What is no String.
[-> { Zlib::Deflate.new << 1 }, -> { Zlib::Inflate.new.inflate(1) }, -> { Zlib::Deflate.new.set_dictionary(1) }].each do |wrong|
  wrong.call
rescue TypeError => e
  puts e.message
end
# => no implicit conversion of Integer into String
# => no implicit conversion of Integer into String
# => no implicit conversion of Integer into String
