# Times and owners of files: to the nanosecond, and of links themselves.
require "tmpdir"

Dir.mktmpdir do |top|
  file, link = File.join(top, "file"), File.join(top, "link")
  File.write(file, "")
  File.symlink(file, link)
  time = Time.at(1_234_567_890, 123_456_789, :nsec)
  p File.utime(time, time, file) # => 1
  p File.mtime(file).nsec # => 123456789
  p File.lutime(time + 1, time + 2, link) # => 1
  p File.lstat(link).mtime - time # => 2.0
  p File.stat(link).mtime == time # => true
  p File.lchown(nil, -1, link, file) # => 2
  begin
    p File.birthtime(file).between?(Time.now - 600, Time.now + 1) # => true
    p File.open(file) { |f| f.birthtime } == File.birthtime(file) # => true
  rescue NotImplementedError
    # What the file system lacks is said, and no other time given.
    p $!.message == "birthtime is unimplemented on this filesystem"
    p true
  end
  File.birthtime(File.join(top, "none")) rescue puts $!.message.sub(top, "TOP") # => No such file or directory @ rb_file_s_birthtime - TOP/none
  holder = Struct.new(:to_io).new(File.open(file))
  p File.size(holder), File.directory?(holder) # => 0
  # => false

  # A Stat's times are local ones, also before the epoch, and it knows the type of its file.
  early = Time.at(-2, 250_000_000, :nsec)
  File.utime(early, early, file)
  p File.mtime(file).to_r, File.stat(file).atime == early, File.mtime(file).utc? # => (-7/4)
  # => true
  # => false
  types = %i[file? directory? symlink? pipe? socket? chardev? blockdev?]
  [file, top, link, "/dev/null"].each { |path| p types.select { |type| File.lstat(path).public_send(type) } }
  # => [:file?]
  # => [:directory?]
  # => [:symlink?]
  # => [:chardev?]
  File::Stat.allocate.file? rescue p $!.class # => TypeError
end
