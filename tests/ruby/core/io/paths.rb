# What File computes from names.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

e { [File.basename("/a/b.rb", ".rb"), File.basename("/"), File.basename("a/b/"), File.basename("b.tar.gz", ".*"), File.basename("")] } # => ["b", "/", "b", "b.tar", ""]
e { [File.dirname("/a/b/c"), File.dirname("a"), File.dirname("/"), File.dirname("//a"), File.dirname("a//b"), File.dirname("/a/b/c", 2)] } # => ["/a/b", ".", "/", "/", "a", "/a"]
e { %w[a.rb .bashrc a. a.b/c .a.b a.tar.gz ..a].map { |x| File.extname(x) } } # => [".rb", "", ".", "", ".b", ".gz", ""]
e { [File.join("a", "b"), File.join("a/", "/b"), File.join("a", ["b", ["c"]]), File.join, File.join("", "a"), File.join("a", "")] } # => ["a/b", "a/b", "a/b/c", "", "/a", "a/"]
e { a = ["x"]; a << a; File.join(a) } # => [ArgumentError, "recursive array"]
e { [File.expand_path("/a/../b/./c"), File.expand_path("x", "/y"), File.expand_path("../x", "/y/z"), File.expand_path("/")] } # => ["/b/c", "/y/x", "/y/x", "/"]
e { [File.split("/a/b"), File.absolute_path?("/a"), File.absolute_path("~", "/r")] } # => [["/a", "b"], true, "/r/~"]
e { [File.fnmatch("*.rb", "a.rb"), File.fnmatch("*", ".a"), File.fnmatch("**/*.rb", "a/b/c.rb", File::FNM_PATHNAME)] } # => [true, false, true]
e { [File.fnmatch("[a-c]?", "bz"), File.fnmatch("{a,b}", "a", File::FNM_EXTGLOB), File.fnmatch("A", "a", File::FNM_CASEFOLD)] } # => [true, true, true]
e { [File.fnmatch("[", "["), File.fnmatch("[a", "a"), File.fnmatch("[!a]", "b"), File.fnmatch("\\*", "*"), File.fnmatch("*" * 40 + "b", "a" * 200)] } # => [false, false, true, true, false]
