# File: reading, writing, positions, errors.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

require "fileutils"
dir = "/tmp/asterism_io_file"
FileUtils.rm_rf(dir)
Dir.mkdir(dir)
path = "#{dir}/f"
e { File.write(path, "héllo\nworld\n\n\npara2\nend") } # => 24
e { [File.read(path), File.size(path), File.exist?(path), File.file?(path), File.directory?(dir)] } # => ["héllo\nworld\n\n\npara2\nend", 24, true, true, true]
f = File.open(path)
e { [f.gets, f.lineno, f.gets(chomp: true), f.pos, f.eof?] } # => ["héllo\n", 1, "world", 13, false]
e { [f.getc, f.getbyte, f.read(3), f.read, f.read, f.read(1), f.eof?] } # => ["\n", 10, "par", "a2\nend", "", nil, true]
e { f.rewind; f.each_line.to_a } # => ["héllo\n", "world\n", "\n", "\n", "para2\n", "end"]
e { f.rewind; f.each_line("").to_a } # => ["héllo\nworld\n\n", "para2\nend"]
e { f.rewind; [f.gets(nil), f.gets] } # => ["héllo\nworld\n\n\npara2\nend", nil]
e { f.rewind; [f.gets("l"), f.gets(2), f.gets("r", 100)] } # => ["hél", "lo", "\nwor"]
e { f.seek(-3, IO::SEEK_END); f.read } # => "end"
e { f.pos = 1; [f.readchar, f.readbyte, f.ungetc("Z"), f.readline] } # => ["é", 108, nil, "Zlo\n"]
e { f.write("x") } # => [IOError, "not opened for writing"]
e { f.seek(0, :END); f.readline } # => [EOFError, "end of file reached"]
e { f.close; [f.closed?, f.close] } # => [true, nil]
e { f.read } # => [IOError, "closed stream"]
e { File.readlines(path, chomp: true) } # => ["héllo", "world", "", "", "para2", "end"]
e { File.foreach(path).map(&:size) } # => [6, 6, 1, 1, 6, 3]
e { File.open(path, "a") { |g| g.puts "more"; g << 1 << :x; g.print "a", 1; g.printf("%d-%s\n", 3, "q"); g.putc "AB"; g.putc 66 } } # => 66
e { File.read(path) } # => "héllo\nworld\n\n\npara2\nendmore\n1xa13-q\nAB"
e { File.open(path, "r+") { |g| g.gets; g.write("WORLD"); g.seek(0); [g.gets, g.gets] } } # => ["héllo\n", "WORLD\n"]
e { File.open("nope/x") } # => [Errno::ENOENT, "No such file or directory @ rb_sysopen - nope/x"]
e { begin; File.open("nope/x"); rescue => x; x.errno; end } # => 2
e { File.open("/tmp", "w") } # => [Errno::EISDIR, "Is a directory @ rb_sysopen - /tmp"]
e { File.read("/tmp") } # => [Errno::EISDIR, "Is a directory @ io_fread - /tmp"]
e { File.open(path, "q") } # => [ArgumentError, "invalid access mode q"]
e { File.delete("#{dir}/nope") } # => [Errno::ENOENT, "No such file or directory @ apply2files - /tmp/asterism_io_file/nope"]
e { File.rename("#{dir}/nope", "#{dir}/x") } # => [Errno::ENOENT, "No such file or directory @ rb_file_s_rename - (/tmp/asterism_io_file/nope, /tmp/asterism_io_file/x)"]
e { File.size("#{dir}/nope") } # => [Errno::ENOENT, "No such file or directory @ rb_file_s_size - /tmp/asterism_io_file/nope"]
e { File.stat("#{dir}/nope") } # => [Errno::ENOENT, "No such file or directory @ rb_file_s_stat - /tmp/asterism_io_file/nope"]
e { File.readlink("#{dir}/nope") } # => [Errno::ENOENT, "No such file or directory @ rb_readlink - /tmp/asterism_io_file/nope"]
e { File.mtime("#{dir}/nope") } # => [Errno::ENOENT, "No such file or directory @ rb_file_s_mtime - /tmp/asterism_io_file/nope"]
e { File.chmod(0644, "#{dir}/nope") } # => [Errno::ENOENT, "No such file or directory @ apply2files - /tmp/asterism_io_file/nope"]
e { File.open("a\0b") } # => [ArgumentError, "path name contains null byte"]
e { File.open(nil) } # => [TypeError, "no implicit conversion of nil into String"]
e { IO.new(99) } # => [Errno::EBADF, "Bad file descriptor"]
e { File.open("/dev/null").read(-1) } # => [ArgumentError, "negative length -1 given"]
e { [File.stat(path).file?, File.ftype(path), File.zero?(path), File.readable?(path)] } # => [true, "file", false, true]
e { File.open(path, "w").external_encoding } # => nil
e { File.open(path, "r:iso-8859-1").read.encoding.to_s } # => "ISO-8859-1"
e { File.open(path, File::CREAT | File::EXCL) } # => [Errno::EEXIST, "File exists @ rb_sysopen - /tmp/asterism_io_file/f"]
e { File.symlink(path, "#{dir}/l"); [File.readlink("#{dir}/l"), File.symlink?("#{dir}/l"), File.lstat("#{dir}/l").symlink?] } # => ["/tmp/asterism_io_file/f", true, true]
e { File.write(path, "0123456789"); File.write(path, "ab", 3); IO.binread(path, 4, 2) } # => "2ab5"
e { File.truncate(path, 2); File.read(path) } # => "01"
e { File.mkfifo("#{dir}/fifo"); File.truncate("#{dir}/fifo", 0) } # => [Errno::EINVAL, "Invalid argument @ rb_file_s_truncate - /tmp/asterism_io_file/fifo"]
File.delete("#{dir}/fifo")
e { IO.copy_stream(path, "#{dir}/copy") } # => 2
e { File.open(path) { |g| [g.flock(File::LOCK_EX), g.flock(File::LOCK_UN)] } } # => [0, 0]
e { Dir.mkdir(dir) } # => [Errno::EEXIST, "File exists @ dir_s_mkdir - /tmp/asterism_io_file"]
e { Dir.rmdir("#{dir}/nope") } # => [Errno::ENOENT, "No such file or directory @ dir_s_rmdir - /tmp/asterism_io_file/nope"]
e { Dir.entries("#{dir}/nope") } # => [Errno::ENOENT, "No such file or directory @ dir_initialize - /tmp/asterism_io_file/nope"]
Dir.mkdir("#{dir}/s")
File.write("#{dir}/a.rb", "")
File.write("#{dir}/s/b.rb", "")
File.write("#{dir}/.h", "")
Dir.chdir(dir)
e { [Dir.children(".").sort, Dir.glob("*"), Dir["**/*.rb"], Dir.glob("**/*"), Dir.glob("{a,s/b}.rb"), Dir.glob("*/"), Dir.glob("*", base: "s")] } # => [[".h", "a.rb", "copy", "f", "l", "s"], ["a.rb", "copy", "f", "l", "s"], ["a.rb", "s/b.rb"], ["a.rb", "copy", "f", "l", "s", "s/b.rb"], ["a.rb", "s/b.rb"], ["s/"], ["b.rb"]]
e { [Dir.exist?("s"), Dir.empty?("s"), Dir.each_child("s").to_a] } # => [true, false, ["b.rb"]]
FileUtils.rm_rf(dir)
# parallel: no, it works on files of fixed names

# Reading, then writing without the buffer: what was read ahead is given back.
require "fcntl"
require "tmpdir"
Dir.mktmpdir do |top|
  path = File.join(top, "file")
  fails = lambda do |&body|
    body.call
  rescue StandardError, NotImplementedError => e
    puts "#{e.class}: #{e.message.sub(top, "TOP")}"
  end
  %i[syswrite write_nonblock write].each do |name|
    File.write(path, "0123456789")
    File.open(path, "r+") do |f|
      f.read(5)
      f.public_send(name, "abc")
    end
    puts File.read(path)
  end
  # => 01234abc89
  # => 01234abc89
  # => 01234abc89
  File.open(path) do |f|
    p f.pread(0, 4, +"kept"), f.sysread(0, +"kept too") # => "kept"
    # => "kept too"
    fails.() { f.pread(-1, 0) } # => ArgumentError: negative string size (or size too big)
    p f.write("") # => 0
    f.ungetbyte(2**70 + 65)
    p f.getbyte # => 65
    fails.() { f.ungetc(nil) } # => TypeError: no implicit conversion of nil into String
    p f.advise(:sequential, 0, 10) # => nil
    fails.() { f.advise(:none) } # => NotImplementedError: Unsupported advice: :none
    fails.() { f.advise(:normal, "a") } # => TypeError: no implicit conversion of String into Integer
    p f.fcntl(Fcntl::F_GETFD) # => 1
    p f.fcntl(Fcntl::F_SETFD, 0), f.close_on_exec? # => 0
    # => false
    fails.() { f.fcntl(Fcntl::F_GETLK, 1) } # => NotImplementedError: fcntl() of this command is unimplemented on this implementation
    fails.() { f.lineno = 2**32 } # => RangeError: integer 4294967296 too big to convert to 'int'
    fails.() { f.set_encoding(nil, "UTF-8") } # => TypeError: no implicit conversion of nil into String
    p IO.new(f.fileno, path: "named", autoclose: false).path # => "named"
    f.close
    p f.external_encoding # => #<Encoding:UTF-8>
    fails.() { f.fcntl(1) } # => IOError: closed stream
  end
  File.open(path, "a") do |f|
    fails.() { f.pread(1, 0) } # => IOError: not opened for reading
    fails.() { f.lineno = 1 } # => IOError: not opened for reading
  end
  reading, writing = IO.pipe
  fails.() { reading.read_nonblock(1, exception: 1) } # => ArgumentError: expected true or false as exception: 1
  p reading.read_nonblock(1, exception: false) # => :wait_readable
  fails.() { writing.write_nonblock("a", exception: nil) } # => ArgumentError: expected true or false as exception: nil
  fails.() { IO.select(nil, nil, nil, Float::NAN) } # => RangeError: NaN out of Time range
  writing.write("x")
  p IO.select([reading], nil, nil, Float::INFINITY).first.size # => 1
end
