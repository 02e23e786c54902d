# StringIO.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

require "stringio"
s = StringIO.new("a\nb\n\nc")
e { [s.gets, s.lineno, s.read(2), s.read, s.eof?, s.gets, s.read, s.read(1)] } # => ["a\n", 1, "b\n", "\nc", true, nil, "", nil]
e { s.rewind; [s.each_line.to_a, s.pos] } # => [["a\n", "b\n", "\n", "c"], 6]
e { s.rewind; s.readlines(chomp: true) } # => ["a", "b", "", "c"]
o = StringIO.new
e { o.puts "x", [1, [2]], nil; o << :y; o.print 1, 2; o.printf("%03d", 7); o.putc "Q"; [o.string, o.pos] } # => ["x\n1\n2\n\ny12007Q", 14]
e { o.pos = 1; o.write "ZZ"; o.string } # => "xZZ\n2\n\ny12007Q"
e { o.truncate(2); o.string } # => "xZ"
e { StringIO.new("abc".freeze).write("x") } # => [IOError, "not opened for writing"]
e { [StringIO.new("héé").getc, StringIO.new("héé").each_char.to_a, StringIO.new("ab").each_byte.to_a] } # => ["h", ["h", "é", "é"], [97, 98]]
e { x = StringIO.new("abc"); x.getc; x.ungetc("Z"); [x.string, x.read] } # => ["Zbc", "Zbc"]
e { x = StringIO.new("l1"); x.close_read; x.read } # => [IOError, "not opened for reading"]
e { $stdout = StringIO.new; puts "captured"; p 1; print "z"; t = $stdout.string; $stdout = STDOUT; t } # => "captured\n1\nz"
e { $stderr = StringIO.new; warn "wx"; t = $stderr.string; $stderr = STDERR; t } # => "wx\n"
e { [StringIO.new("a,b,c").gets(","), StringIO.new("abc\ndef").gets(2), StringIO.new("a\n\n\nb").gets("")] } # => ["a,", "ab", "a\n\n\n"]
e { a = StringIO.new(+"x", "a"); a.write "y"; a.string } # => "xy"
# parallel: no, it replaces $stdout, which belongs to the process
