# What has been given to a GzipWriter is not lost when its header cannot be written.
require "zlib"
class Client
  def initialize(&block) = @block = block
  def write(part) = @block.call(part)
end
inflater = Zlib::Inflate.new(Zlib::MAX_WBITS + 32)
texts = []
writer = Zlib::GzipWriter.new(Client.new { |part|
  texts << inflater.inflate(part)
  raise "gone"
})
writer.mtime = 1
writer.write("foo") rescue p $!
# => #<RuntimeError: gone>
writer.write("foo")
writer.finish rescue p $!
# => #<RuntimeError: gone>
p texts.reject(&:empty?)
# => ["foofoo"]
parts = []
writer = Zlib::GzipWriter.new(Client.new { |part| parts << part; part.bytesize })
writer.write("foo")
writer.flush
writer.close
p parts.map(&:bytesize), Zlib.gunzip(parts.join)
# => [10, 9, 10]
# => "foo"
