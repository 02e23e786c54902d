# Streams: arguments that are refused before anything is read, seeking behind what was put back, separators and marks of other encodings.
require "tempfile"
require "fcntl"
require "stringio"

IO.pipe do |r, w|
  w.write "."
  begin
    r.readpartial(1, exception: false)
  rescue TypeError
    p r.readpartial(1) # => "."
  end
end

begin
  IO.pipe { |_, w| IO.open(w.fileno) {} }
rescue Errno::EBADF => e
  p e.class # => Errno::EBADF
end
begin
  IO.allocate.close
rescue IOError => e
  p e.message # => "uninitialized stream"
end

Tempfile.create("corners") do |t|
  t.write("0123456789\n")
  t.rewind
  t.ungetc("a")
  p t.pos # => -1
  t.seek(2, :SET)
  p t.getc # => "2"
  begin
    t.sysseek(1)
  rescue IOError => e
    p e.message # => "sysseek for buffered IO"
  end
  begin
    t.instance_eval { initialize }
  rescue RuntimeError => e
    p e.message # => "reinitializing File"
  end
  begin
    File.read(t.path, 1, -1)
  rescue ArgumentError => e
    p e.message # => "negative offset -1 given"
  end
  File.open(__FILE__) do |f|
    t.rewind
    t.getc
    f.reopen(t)
    p f.gets # => "123456789\n"
    other = IO.new(f.fcntl(Fcntl::F_DUPFD))
    p other.close_on_exec? # => true
    other.close
  end
  File.binwrite(t.path, "\uFEFFa".encode("UTF-16BE"))
  p File.read(t.path, mode: "rb:BOM|UTF-8:UTF-8") # => "a"
  File.binwrite(t.path, "\xA4\xA2\xA4\xA4\n")
  File.open(t.path, "r:euc-jp") do |f|
    p f.gets(3).bytesize # => 4
    begin
      f.gets("\xA2\xA2".dup.force_encoding("utf-8"))
    rescue ArgumentError => e
      p e.message # => "encoding mismatch: EUC-JP IO with UTF-8 RS"
    end
    begin
      f.set_encoding("iso-2022-jp")
    rescue ArgumentError => e
      p e.message # => "ASCII incompatible encoding needs binmode"
    end
  end
  begin
    File.open(t.path, "rb", newline: :universal)
  rescue ArgumentError => e
    p e.message # => "newline decorator with binary mode"
  end
  begin
    File.open(t.path, "rt", textmode: false)
  rescue ArgumentError => e
    p e.message # => "textmode specified twice"
  end
end

itself_within = Class.new { def to_ary = [self] }
out = StringIO.new
out.puts(itself_within.new)
p out.string # => "[...]\n"
