require "zlib"

# A dictionary both sides know: the stream says which, and refers to it.
dictionary = "a dictionary of words, words and words"
deflate = Zlib::Deflate.new
p deflate.set_dictionary(dictionary).equal?(dictionary) # => true
text = "words and words of a dictionary" * 3
packed = deflate.deflate(text, Zlib::FINISH)
p packed.bytesize < Zlib.deflate(text).bytesize # => true
p packed.unpack("nN") == [0x78bb, Zlib.adler32(dictionary)] # => true

inflate = Zlib::Inflate.new
begin
  inflate.inflate(packed)
rescue Zlib::NeedDict => e
  puts e.message # => need dictionary
  p inflate.adler == Zlib.adler32(dictionary) # => true
end
begin
  inflate.set_dictionary("another")
rescue Zlib::DataError => e
  puts e.message # => data error
end
inflate.set_dictionary(dictionary)
p inflate.inflate("") == text, inflate.finished?
# => true
# => true

# Known before, and in two parts.
inflate = Zlib::Inflate.new
inflate.add_dictionary(dictionary)
out = inflate.inflate(packed[0, 20]) + inflate.inflate(packed[20..])
p out == text, inflate.finished?
# => true
# => true

# A checksum that is wrong
inflate = Zlib::Inflate.new
inflate.add_dictionary(dictionary)
begin
  inflate.inflate(packed[0..-2] + (packed[-1].ord ^ 1).chr)
rescue Zlib::DataError => e
  puts e.message # => incorrect data check
end

# Without a header nobody is asked.
deflate = Zlib::Deflate.new(9, -15)
deflate.set_dictionary("abc")
inflate = Zlib::Inflate.new(-15)
inflate.set_dictionary("abc")
p inflate.inflate(deflate.deflate("abcabc", Zlib::FINISH)) # => "abcabc"

# Longer than what a stream can refer to
long = Array.new(GC.stress ? 400 : 9000) { |i| "#{i} " }.join
deflate = Zlib::Deflate.new
deflate.set_dictionary(long)
packed = deflate.deflate(long[-500..], Zlib::FINISH)
inflate = Zlib::Inflate.new
inflate.add_dictionary(long)
p packed.bytesize < 40, inflate.inflate(packed) == long[-500..]
# => true
# => true

# Too late, and where no stream asks
deflate = Zlib::Deflate.new
deflate << "begun"
[-> { deflate.set_dictionary("a") }, -> { Zlib::Inflate.new.set_dictionary("a") }, -> { Zlib::Deflate.new(9, 31).set_dictionary("a") }].each do |late|
  late.call
rescue Zlib::StreamError => e
  puts e.message
end
# => stream error
# => stream error
# => stream error

# What follows the end of a stream comes after what the call that found the end returns.
packed = Zlib.deflate("a")
inflate = Zlib::Inflate.new
p inflate.inflate(packed + "xyz"), inflate.inflate("q"), inflate.finish
# => "a"
# => ""
# => "xyzq"
inflate = Zlib::Inflate.new
inflate << packed + "x" << "y"
p inflate.finish # => "axy"
inflate = Zlib::Inflate.new
inflate.inflate(packed + "x") { |piece| p piece } # => "a"
p inflate.inflate(nil) # => "x"
