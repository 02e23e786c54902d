# What File, FileTest and File::Stat say of files, folders, links, pipes and sockets; streams and their descriptors.
# args: -W0
# parallel: no, it works in a folder of its own as its working directory
require "tmpdir"
require "socket"
Dir.mktmpdir do |dir|
  Dir.chdir(dir) do
    File.write("f", "hello")
    File.chmod(0o640, "f")
    Dir.mkdir("d")
    File.symlink("f", "l")
    File.symlink("none", "dangling")
    File.link("f", "hard")
    File.mkfifo("fifo")
    server = UNIXServer.new("sock")
    File.write("x", "#!/bin/sh\n")
    File.chmod(0o755, "x")
    File.chmod(0o1777, "d")
    names = %w[f d l dangling hard fifo sock x none /dev/null]
    %i[exist? file? directory? symlink? pipe? socket? chardev? blockdev? size? zero? executable? executable_real? sticky? setuid? setgid? world_readable? world_writable? grpowned? owned?].each do |m|
      of = m == :size? ? names - ["d"] : names # How large a folder is, the file system decides.
      puts "#{m}: #{of.map { |n| r = File.send(m, n); r == FileTest.send(m, n) ? r.inspect : "FileTest differs" }.join(" ")}"
# => exist?: true true true false true true true true false true
# => file?: true false true false true false false true false false
# => directory?: false true false false false false false false false false
# => symlink?: false false true true false false false false false false
# => pipe?: false false false false false true false false false false
# => socket?: false false false false false false true false false false
# => chardev?: false false false false false false false false false true
# => blockdev?: false false false false false false false false false false
# => size?: 5 5 nil 5 nil nil 10 nil nil
# => zero?: false false false false false true true false false true
# => executable?: false true false false false false true true false false
# => executable_real?: false true false false false false true true false false
# => sticky?: false true false false false false false false false false
# => setuid?: false false false false false false false false false false
# => setgid?: false false false false false false false false false false
# => world_readable?: nil 511 nil nil nil 420 493 493 nil 438
# => world_writable?: nil 511 nil nil nil nil nil nil nil 438
# => grpowned?: true true true false true true true true false true
# => owned?: true true true false true true true true false true
    end
    p %w[f x none].map { |n| [File.readable?(n), File.writable?(n), File.readable_real?(n), File.writable_real?(n)] } # => [[true, true, true, true], [true, true, true, true], [false, false, false, false]]
    p(File.identical?("f", "hard")) # => true
    p(File.identical?("f", "l")) # => true
    p(File.identical?("f", "x")) # => false
    p(FileTest.identical?("f", "f")) # => true
    p(File.realpath("l") == File.realpath("f")) # => true
    p(File.basename(File.realdirpath("nothing"))) # => "nothing"
    p((File.realpath("nothing") rescue $!.class)) # => Errno::ENOENT
    p(File.readlink("l")) # => "f"
    s = File.stat("f")
    p(s.file?) # => true
    p(s.directory?) # => false
    p(s.pipe?) # => false
    p(s.socket?) # => false
    p(s.symlink?) # => false
    p(s.chardev?) # => false
    p(s.blockdev?) # => false
    p(s.size?) # => 5
    p(s.zero?) # => false
    p(s.nlink) # => 2
    p(s.mode.to_s(8)) # => "100640"
    p(s.ftype) # => "file"
    p(s.readable?) # => true
    p(s.writable?) # => true
    p(s.readable_real?) # => true
    p(s.executable?) # => false
    p(s.executable_real?) # => false
    p(s.owned?) # => true
    p(s.grpowned?) # => true
    p(s.setuid?) # => false
    p(s.setgid?) # => false
    p(s.sticky?) # => false
    p(s.world_readable?) # => nil
    p(s.world_writable?) # => nil
    p(s.ino == File.stat("hard").ino) # => true
    p(s.dev == File.stat("d").dev) # => true
    p(s.blksize.class) # => Integer
    p(s.blocks.class) # => Integer
    p(s.dev_major.class) # => Integer
    p(s.dev_minor.class) # => Integer
    p(s.uid == Process.euid) # => true
    p(s <=> File.stat("f")) # => 0
    p(s.atime.class) # => Time
    p(s.rdev.class) # => Integer
    p(File::Stat.new("x").world_readable?.to_s(8)) # => "755"
    p(File.lstat("l").symlink?) # => true
    p(File.lstat("dangling").ftype) # => "link"
    p(File.stat("/dev/null").rdev_major) # => 1
    p(File.stat("/dev/null").rdev_minor) # => 3
    p(File.stat("/dev/null").chardev?) # => true
    p(File.ftype("fifo")) # => "fifo"
    p(File.ftype("sock")) # => "socket"
    p(File.ftype("/dev/null")) # => "characterSpecial"
    t = Time.at(1_000_000_000)
    File.utime(t, t + 1, "f")
    p(File.atime("f") == t) # => true
    p(File.mtime("f") == t + 1) # => true
    p(File.new("f").atime == t) # => true
    p(File.ctime("f") > t) # => true
    p(File.fnmatch?("*.rb", "a.rb")) # => true
    p(File.fnmatch?("*", ".a")) # => false
    p(File.fnmatch?("*", ".a", File::FNM_DOTMATCH)) # => true
    p(File.fnmatch?("**/x", "a/b/x", File::FNM_PATHNAME)) # => true
    p(File.fnmatch?("{a,b}", "a")) # => false
    p(File.fnmatch?("{a,b}", "a", File::FNM_EXTGLOB)) # => true
    p(File.fnmatch?("[!a]", "b")) # => true
    p(File.fnmatch?("A", "a", File::FNM_CASEFOLD)) # => true
    p(File.fnmatch?("a\\*", "a*")) # => true
    p(File.chown(nil, nil, "f")) # => 1
    p(File.new("f").chown(-1, -1)) # => 0
    p(Dir.getwd == Dir.pwd) # => true
    p(Dir.new("d").to_path) # => "d"
    p(Dir.new("d").path) # => "d"
    p(Dir.empty?("d")) # => true
    p(Dir.exist?("f")) # => false
    p(Dir.children(".").sort) # => ["d", "dangling", "f", "fifo", "hard", "l", "sock", "x"]
    p(Dir.each_child("d").to_a) # => []
    p(Dir.glob("*").sort.first(2)) # => ["d", "dangling"]
    p((Dir.mkdir("d") rescue $!.class)) # => Errno::EEXIST
    File.open("f", "r+") do |f|
      p(f.to_path) # => "f"
      p(f.isatty) # => false
      p(f.tty?) # => false
      p(f.binmode?) # => false
      p(f.binmode.binmode?) # => true
      p(f.fsync) # => 0
      p(f.fdatasync) # => 0
      p(f.autoclose?) # => true
      p(f.sync) # => false
      p((f.sync = true)) # => true
      p(f.close_on_exec?) # => true
      p(f.fileno.class) # => Integer
      p(f.sysseek(1)) # => 1
      p(f.sysread(2)) # => "el"
      p(f.sysseek(-1, IO::SEEK_END)) # => 4
      p(f.sysread(1)) # => "o"
      p((f.sysread(1) rescue $!.class)) # => EOFError
      p(f.pread(3, 1)) # => "ell"
      p(f.pwrite("J", 0)) # => 1
      p(f.pread(5, 0)) # => "Jello"
      f.autoclose = true
      f.rewind
      p(f.getc) # => "J"
      p(f.ungetc("Q")) # => nil
      p(f.read) # => "Qello"
      p(f.eof?) # => true
      p(f.pos) # => 5
      p((f.seek(0); f.readchar)) # => "J"
      p(f.readbyte) # => 101
      p(f.getbyte) # => 108
      p(f.ungetbyte(65)) # => nil
      p(f.readpartial(10)) # => "Alo"
      p((f.readline rescue $!.class)) # => EOFError
      p(f.gets) # => nil
      p(f.truncate(2)) # => 0
      p(f.size) # => 2
      p(f.flock(File::LOCK_EX)) # => 0
      p(f.flock(File::LOCK_UN)) # => 0
      p(f.advise(:normal, 0, 0)) # => nil
      p(f.fcntl(1).class) # => Integer
    end
    a = File.new("x")
    b = File.new("f")
    p(a.reopen(b).equal?(a)) # => true
    p(a.read) # => "Je"
    p(a.reopen("x", "r").read.size) # => 10
    p(a.closed?) # => false
    p(a.close) # => nil
    p(a.close) # => nil
    p(a.closed?) # => true
    p((a.read rescue $!.message)) # => "closed stream"
    r, w = IO.pipe
    w << "ab" << 1
    w.flush
    p(r.wait_readable(1).equal?(r)) # => true
    p(w.wait_writable(1).equal?(w)) # => true
    p(r.read_nonblock(2)) # => "ab"
    p((r.read_nonblock(5))) # => "1"
    p((r.read_nonblock(1) rescue $!.class)) # => IO::EAGAINWaitReadable
    p(r.read_nonblock(1, exception: false)) # => :wait_readable
    p(r.wait(0)) # => nil
    p(w.wait(1, :write).equal?(w)) # => true
    p(w.write("x", :y, 3)) # => 3
    p(w.syswrite("z")) # => 1
    p(w.print("p")) # => nil
    p(w.putc("qr")) # => "qr"
    p(w.putc(65)) # => 65
    p(w.printf("%d", 5)) # => nil
    p(w.puts([1, [2]])) # => nil
    p(w.close) # => nil
    p(r.read) # => "xy3zpqA51\n2\n"
    p(r.read) # => ""
    p(r.read(1)) # => nil
    p(r.eof?) # => true
    p([r, w].map(&:closed?)) # => [false, true]
    p(IO.select([r], nil, nil, 0)&.first&.size) # => 1
    server.close
    p(File.unlink("f", "l")) # => 2
    p(File.exist?("f")) # => false
    p(File.rename("x", "y")) # => 0
    p(File.exist?("y")) # => true
    p(File.umask.class) # => Integer
    p((File.delete("zz") rescue $!.class)) # => Errno::ENOENT
    p((Dir.rmdir("zz") rescue $!.class)) # => Errno::ENOENT
    p(Dir.unlink("d")) # => 0
    p(File.size("y")) # => 10
    p((File.size("zz") rescue $!.class)) # => Errno::ENOENT
  end
end
p(File.join("a", "/b", ["c", ["d"]])) # => "a/b/c/d"
p(File.split("/a/b.rb")) # => ["/a", "b.rb"]
p(File.extname("a/b.tar.gz")) # => ".gz"
p(File.extname(".bashrc")) # => ""
p(File.basename("a/b.rb", ".rb")) # => "b"
p(File.basename("a/b.rb", ".*")) # => "b"
p(File.dirname("/a/b/c", 2)) # => "/a"
p(File.expand_path("../x", "/a/b")) # => "/a/x"
p(File.expand_path("/a/./b//c/..")) # => "/a/b"
p(File.absolute_path?("/a")) # => true
p(File.path("x")) # => "x"
p(File.absolute_path("~", "/r")) # => "/r/~"
