# IO.copy_stream opens what names a file, even if it can read and write by itself.
require "pathname"
require "tmpdir"
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

Dir.chdir(Dir.mktmpdir)
File.write("a", "hello")
t { [IO.copy_stream(Pathname.new("a"), Pathname.new("b")), File.read("b")] } # => [5, "hello"]
t { [IO.copy_stream("a", Pathname.new("c"), 3, 1), File.read("c")] } # => [3, "ell"]
named = Object.new
def named.to_path = "a"
def named.read(*) = raise("read")
t { [IO.copy_stream(named, "d"), File.read("d")] } # => [5, "hello"]
t { IO.copy_stream(Pathname.new("none"), "d") } # => Errno::ENOENT: No such file or directory @ rb_sysopen - none
