# StringIO: without a string, with paragraphs and encodings that are rare, and what it leaves alone.
require "stringio"
def kind = (yield; nil) rescue $!.class
none = StringIO.new(nil)
p none.puts("abc"), none.write("abc"), none.string, none.ungetc("#"), none.getc, none.seek(0, IO::SEEK_END), none.gets # => nil
# => 0
# => nil
# => nil
# => nil
# => 0
# => nil
p %w[x rx rbt wbt].map { |mode| kind { StringIO.new(+"", mode) } }.uniq, StringIO.new(+"", "wx").class # => [ArgumentError]
# => StringIO
wide = StringIO.new("line1\nline2\n".encode("utf-16le"))
p wide.gets == "line1\n".encode("utf-16le"), wide.each_line.to_a.size, StringIO.new("a".encode("utf-16be")).gets(1).bytesize # => true
# => 1
# => 2
p kind { StringIO.new("a".encode("utf-16be")).gets("a") } # => ArgumentError
p StringIO.new("foo\r\nbar\r\n\r\n\r\nbaz\r\n").each("").to_a # => ["foo\r\nbar\r\n\r\n\r\n", "baz\r\n"]
p StringIO.new("foo\r\nbar\r\n\r\n\r\nbaz\r\n").each("", chomp: true).to_a # => ["foo\r\nbar", "baz\r\n"]
p StringIO.new("\n\nfoo\n\n\nbar").readlines("", chomp: true) # => ["foo", "bar"]
text = +""
io = StringIO.new(text, "w")
text.freeze
p kind { io.write("foo") }, kind { StringIO.new("a").read_nonblock } # => IOError
# => ArgumentError
# The encoding of a literal stays as it is; what is read has the other one.
io = StringIO.new("abc")
io.set_encoding("ISO-8859-1")
p io.string.encoding, io.read.encoding # => #<Encoding:UTF-8>
# => #<Encoding:ISO-8859-1>
io = StringIO.new(+"abc")
io.set_encoding("ISO-8859-1")
p io.string.encoding # => #<Encoding:ISO-8859-1>
$. = 7
StringIO.new("a\nb").each_line { }
StringIO.new("a\nb").gets
p $. # => 7

# Without a String there is nothing to read.
none = StringIO.new(nil)
p none.read, none.read(0), none.read(1), none.size, none.length, none.external_encoding, none.eof?
# => nil
# => ""
# => nil
# => 0
# => 0
# => nil
# => true
p none.gets, none.gets(0), none.gets("x"), none.each_line.to_a, none.write("a")
# => nil
# => nil
# => nil
# => []
# => 0
begin
  none.sysread
rescue EOFError => e
  puts e.message # => end of file reached
end
