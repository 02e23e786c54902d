# In text mode a carriage return ends a line, with and without a line feed; how files are opened that are read line by line.
require "tmpdir"
Dir.mktmpdir do |dir|
  path = File.join(dir, "mixed")
  File.binwrite(path, "a\rb\nc\r\nd\r")
  p File.open(path, "rt") { |f| [f.gets, f.gets, f.gets, f.gets, f.gets] } # => ["a\n", "b\n", "c\n", "d\n", nil]
  p File.open(path, "rt") { |f| f.readlines(chomp: true) } # => ["a", "b", "c", "d"]
  p File.open(path, "rt") { |f| 9.times.map { f.getc } } # => ["a", "\n", "b", "\n", "c", "\n", "d", "\n", nil]
  p File.readlines(path, mode: "rt"), File.readlines(path, universal_newline: true) # => ["a\n", "b\n", "c\n", "d\n"]
  # => ["a\n", "b\n", "c\n", "d\n"]
  p File.readlines(path) # => ["a\rb\n", "c\r\n", "d\r"]
  p File.open(path, "rt") { |f| [f.gets, f.lineno, f.gets("c"), f.read] } # => ["a\n", 1, "b\nc", "\nd\n"]

  # The line feed may come later.
  plain, w = IO.pipe
  r = IO.for_fd(plain.fileno, "rt", autoclose: false)
  w << "x\r"
  reader = Thread.new { [r.gets, r.getc, r.gets] }
  Thread.pass until reader.stop?
  w << "\ny\r"
  Thread.pass until reader.stop?
  w << "\nz"
  w.close
  p reader.value # => ["x\n", "y", "\n"]
  p r.read # => "z"

  File.binwrite(path, "\xFFé\nb\n")
  IO.foreach(path, open_args: ["r:binary"]) { |line| p [line, line.encoding] } # => ["\xFF\xC3\xA9\n", #<Encoding:BINARY (ASCII-8BIT)>]
  # => ["b\n", #<Encoding:BINARY (ASCII-8BIT)>]
  IO.foreach(path, open_args: [{ encoding: "iso-8859-1" }], chomp: true) { |line| p line.encoding } # => #<Encoding:ISO-8859-1>
  # => #<Encoding:ISO-8859-1>

  File.open(__FILE__, "rb") do |f|
    f.reopen(path, "r:iso-8859-1")
    p f.external_encoding, f.gets.encoding, f.binmode? # => #<Encoding:ISO-8859-1>
    # => #<Encoding:ISO-8859-1>
    # => false
    f.reopen(path, encoding: "binary")
    p f.external_encoding # => #<Encoding:BINARY (ASCII-8BIT)>
    f.reopen(path)
    p f.external_encoding # => #<Encoding:BINARY (ASCII-8BIT)>
    File.open(path, "r:utf-8") { |other| f.reopen(other) }
    p f.external_encoding # => #<Encoding:UTF-8>
  end
end
