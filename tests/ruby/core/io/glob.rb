# Dir.glob: `**/` at the end, `.`, slashes that follow one another, keywords, encodings.
require "tmpdir"

Dir.mktmpdir do |top|
  %w[a a/b a/b/.h a/b/b .d .d/e x].each { |path| Dir.mkdir(File.join(top, path)) }
  %w[a/f a/b/f .d/f .d/e/f x/f a/b/.h/f a/b/b/.q].each { |path| File.write(File.join(top, path), "") }
  File.symlink("a", File.join(top, "link"))
  dots = File::FNM_DOTMATCH
  show = ->(pattern, *args, base: top, **opts) { puts Dir.glob(pattern, *args, base: base, **opts).inspect }

  show["**/"] # => ["/", "a/", "a/b/", "a/b/b/", "x/"]
  show["**/", dots] # => ["/", ".d/", ".d/e/", "a/", "a/b/", "a/b/.h/", "a/b/b/", "x/"]
  show["link/**/"] # => ["link/", "link/b/", "link/b/b/"]
  show["{a,x}/**/"] # => ["a/", "a/b/", "a/b/b/", "x/"]
  show["*/"] # => ["a/", "link/", "x/"]
  show["**/*"] # => ["a", "a/b", "a/b/b", "a/b/f", "a/f", "link", "x", "x/f"]
  show["**/f"] # => ["a/b/f", "a/f", "x/f"]
  # `.` is found where a pattern begins to look, and `..` nowhere.
  show[".*"] # => [".", ".d"]
  show["**/.*"] # => [".d", "a/b/.h", "a/b/b/.q"]
  show["**/.*", dots] # => [".", ".d", "a/b/.h", "a/b/b/.q"]
  show["a/**/.*", flags: dots] # => ["a/.", "a/b/.h", "a/b/b/.q"]
  show["*/.*", dots] # => ["./.d"]
  show[".*/*"] # => ["./a", "./link", "./x", ".d/e", ".d/f"]
  show[".**/"] # => ["./", ".d/"]
  show["a//*"] # => ["a//b", "a//f"]
  show["a//**//f"] # => ["a//b/f", "a//f"]
  show["a/b//"] # => ["a/b//"]
  show[""] # => [""]
  show[["a/*", "x/*"]] # => ["a/b", "a/f", "x/f"]
  show["*", 0, flags: dots] # => [".", ".d", "a", "link", "x"]
  show["A", File::FNM_CASEFOLD] # => []
  p Dir.glob("#{top}//a/*/").map { |path| path.delete_prefix(top) } # => ["//a/b/"]
  # Plain names, before patterns and after them.
  show["a/b/f"] # => ["a/b/f"]
  show["a/b/none"] # => []
  show["a/none/f"] # => []
  show["a/f/../b"] # => []
  show["a/b/../f"] # => ["a/b/../f"]
  show["./a/b/*"] # => ["./a/b/b", "./a/b/f"]
  show["a\\/b/\\f"] # => ["a/b/f"]
  show["a/b/f/"] # => []
  show["link/b/{f,b/.q,none}"] # => ["link/b/f", "link/b/b/.q"]
  show["*/b/f"] # => ["a/b/f", "link/b/f"]
  show["**/b/b/.q"] # => ["a/b/b/.q"]
  p Dir.glob("#{top}/a/b/f") == ["#{top}/a/b/f"], Dir.glob("#{top}/a/b/f/g") # => true
  # => []
  p Dir.glob("/") # => ["/"]
  p Dir.glob("") # => []

  p Dir.glob("a*".encode("EUC-JP"), base: top).map(&:encoding) # => [#<Encoding:EUC-JP>]
  p Dir.glob("a*".encode("US-ASCII"), base: top).map(&:encoding) # => [#<Encoding:UTF-8>]
  fails = ->(&body) { body.call rescue puts "#{$!.class}: #{$!.message}" }
  fails.() { Dir.glob("*", sort: nil) } # => ArgumentError: expected true or false as sort: nil
  fails.() { Dir["*", sort: 1] } # => ArgumentError: expected true or false as sort: 1
  fails.() { Dir.glob("a\0b") } # => ArgumentError: nul-separated glob pattern is deprecated
  fails.() { Dir.glob("a".encode("UTF-16LE")) } # => Encoding::CompatibilityError: incompatible character encodings: UTF-16LE and US-ASCII
  fails.() { File.stat("a".encode("UTF-16LE")) } # => Encoding::CompatibilityError: path name must be ASCII-compatible (UTF-16LE): "a"
end
