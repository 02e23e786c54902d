# Lines up to `$/` are read from the String as it is then: its encoding, another one, text that is appended meanwhile.
require "stringio"

io = StringIO.new("a\né\n\nlast")
p [io.gets, io.gets, $_, io.gets, io.gets, io.gets, $_, io.lineno] # => ["a\n", "é\n", "é\n", "\n", "last", nil, nil, 4]
p StringIO.new("é\nb".b).each_line.map { |line| [line, line.encoding] } # => [["\xC3\xA9\n", #<Encoding:BINARY (ASCII-8BIT)>], ["b", #<Encoding:BINARY (ASCII-8BIT)>]]
io = StringIO.new("é\nb\n")
io.set_encoding("ISO-8859-1")
p [io.gets.encoding, io.read.encoding] # => [#<Encoding:ISO-8859-1>, #<Encoding:ISO-8859-1>]
io = StringIO.new(+"one\n")
p [io.gets, io.gets, (io.string << "two\nthr"), io.gets, io.gets, io.gets] # => ["one\n", nil, "one\ntwo\nthr", "two\n", "thr", nil]
p StringIO.new("a\n\n\nb\n").gets("") # => "a\n\n\n"
p StringIO.new("éé\nx").gets(3) # => "éé"
p StringIO.new("éé\nx").gets(nil, 1) # => "é"
p StringIO.new("a\r\nb").each_line(chomp: true).to_a # => ["a", "b"]
p StringIO.new("abc").read(2).encoding # => #<Encoding:BINARY (ASCII-8BIT)>
