# Pathname is there without `require`, with what looks at the text of a path and what asks the file system.
def show
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

p defined?(Pathname), $LOADED_FEATURES.grep(/pathname\.rb/) # => "constant"
# => []
show { Pathname.new(nil) } # => TypeError: Pathname.new requires a String, #to_path or #to_str
show { Pathname.new("a\0b") } # => ArgumentError: path name contains null byte
show { Pathname.new("ab".encode("UTF-16LE")) } # => Encoding::CompatibilityError: path name must be ASCII-compatible (UTF-16LE): "ab"
text = +"abc"
path = Pathname(text)
text << "d"
path.to_s << "e"
p path, Pathname(path).equal?(path), path.frozen?, Kernel.Pathname("x") # => #<Pathname:abc>
# => true
# => false
# => #<Pathname:x>
p path == Pathname("abc"), path == "abc", path.eql?(Pathname("abc")), { path => 1 }[Pathname("abc")], path <=> "abc" # => true
# => false
# => true
# => 1
# => nil
p %w[a-b a/b a a.b].map { |s| Pathname(s) }.sort.map(&:to_s) # => ["a", "a/b", "a-b", "a.b"]
p path.respond_to?(:=~), Marshal.load(Marshal.dump(path)), path.sub(/b/) { "<#{$&}>" }, path.sub_ext(".rb") # => false
# => #<Pathname:abc>
# => #<Pathname:a<b>c>
# => #<Pathname:abc.rb>

p ["", ".", "..", "/", "//", "a/", "a/.", "a/..", "/a/../..", "a//b/../c", "../a/../../b", "./a"].map { |s| Pathname(s).cleanpath.to_s }
# => [".", ".", "..", "/", "/", "a", "a", ".", "/", "a/c", "../../b", "a"]
p ["", "./", "a/", "a/.", "a/..", "/..", "a//b/../c/", "../."].map { |s| Pathname(s).cleanpath(true).to_s }
# => [".", ".", "a/", "a/.", "a/..", "/", "a/b/../c/", ".."]
p [["a", "b"], ["a", "../b"], ["a", "../../b"], ["/", ".."], ["/a", "/b"], [".", "a"], ["a", "."], ["", ""], ["a/", "b//c"], ["//", "../"]]
  .map { |a, b| (Pathname(a) + b).to_s } # => ["a/b", "b", "../b", "/", "/b", "a", "a", ".", "a/b//c", "//"]
p Pathname("a").join("b", "/c", "d"), Pathname("a") / "b", Pathname("a/b").parent, Pathname("a").join.to_s # => #<Pathname:/c/d>
# => #<Pathname:a/b>
# => #<Pathname:a>
# => "a"
p Pathname("/a//b/").ascend.map(&:to_s), Pathname("a/b").descend.map(&:to_s), Pathname("/a//./b").each_filename.to_a
# => ["/a//b/", "/a", "/"]
# => ["a", "a/b"]
# => ["a", ".", "b"]
p Pathname("/a/b").relative_path_from("/a/c/d"), Pathname("a").relative_path_from(Pathname("a")) # => #<Pathname:../../b>
# => #<Pathname:.>
show { Pathname("a").relative_path_from("/b/.") } # => ArgumentError: different prefix: "" and "/b"
show { Pathname("a").relative_path_from("../b/") } # => ArgumentError: base_directory has ..: "../b"
p Pathname("//").root?, Pathname("a").root?, Pathname("/a").absolute?, Pathname("~").relative? # => true
# => false
# => true
# => true
p Pathname("/a/b.c").basename(".c"), Pathname("/a/b.c").dirname, Pathname("/a/b.c").extname, Pathname("a/b").split # => #<Pathname:b>
# => #<Pathname:/a>
# => ".c"
# => [#<Pathname:a>, #<Pathname:b>]
p Pathname("a.rb").fnmatch?("*.rb"), Class.new(Pathname) { def self.name = "P" }.new("a").parent.class # => true
# => Pathname

require "tmpdir"
Dir.mktmpdir do |name|
  root = Pathname(name)
  deep = root / "a" / "b"
  p deep.mkpath.equal?(deep), deep.directory?, deep.empty?, deep.mkpath.equal?(deep) # => true
  # => true
  # => true
  # => true
  file = deep / "f.txt"
  p file.write("one\ntwo\n"), file.read, file.readlines(chomp: true), file.each_line.to_a, file.size, file.zero?, file.ftype # => 8
  # => "one\ntwo\n"
  # => ["one", "two"]
  # => ["one\n", "two\n"]
  # => 8
  # => false
  # => "file"
  p((file.mkpath rescue $!.class), ((file / "x").mkpath rescue $!.class)) # => Errno::EEXIST
  # => Errno::EEXIST
  link = root / "link"
  link.make_symlink(deep)
  p link.symlink?, link.readlink == deep, link.realpath == deep.realpath, link.children.map { |c| c.basename.to_s } # => true
  # => true
  # => true
  # => ["f.txt"]
  link.unlink
  p link.exist?, deep.exist?, root.glob("**/*.txt").map { |c| c.relative_path_from(root).to_s }, root.children(false) # => false
  # => true
  # => ["a/b/f.txt"]
  # => [#<Pathname:a>]
  p file.open("a") { |io| io << "3" }.class, file.open(&:read), file.delete, deep.unlink, (root / "a").rmdir # => File
  # => "one\ntwo\n3"
  # => 1
  # => 0
  # => 0
  require "pathname"
  (root / "x" / "y").mkpath
  p root.find.map { |c| c.relative_path_from(root).to_s }, (root / "x").rmtree.exist? # => [".", "x", "x/y"]
  # => false
  p Pathname.mktmpdir { |dir| dir.directory? } # => true
end
p Pathname("/").mountpoint?, Pathname("/nowhere/at/all").mountpoint? # => true
# => false

# Threads that mention it first at the same moment, and another VM.
p RubyVM.new("another", source: '8.times.map { Thread.new { Pathname("a").join("b").to_s } }.map(&:value).uniq').start.value # => ["a/b"]
# A mode is not cut by the umask, and links to what is missing are followed.
require "tmpdir"
Dir.mktmpdir do |dir|
  at = Pathname.new(dir).realpath
  (at + "x/y").mkpath(mode: 0o777)
  p [at + "x", at + "x/y"].map { |path| path.stat.mode & 0o777 }.uniq # => [511]
  (at + "link").make_symlink("../#{at.basename}/./missing")
  p (at + "link").realdirpath == at + "missing" # => true
  (at + "loop").make_symlink("loop")
  p ((at + "loop").realdirpath rescue $!.class) # => Errno::ELOOP
end
p Encoding::UNICODE_VERSION # => "17.0.0"
