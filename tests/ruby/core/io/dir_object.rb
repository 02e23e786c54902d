# Dir objects: reading, position, the descriptor, encodings.
# parallel: no, the working directory is the process's
require "tmpdir"

Dir.mktmpdir do |top|
  %w[a b c].each { |name| File.write(File.join(top, name), "") }
  dir = Dir.new(top)
  p dir.path == top # => true
  p dir.instance_variables # => []
  all = dir.to_a.sort
  p all # => [".", "..", "a", "b", "c"]
  p dir.read # => nil
  p dir.each.to_a.sort == all # => true
  p dir.children.sort # => ["a", "b", "c"]
  p dir.each_child.to_a.sort # => ["a", "b", "c"]
  dir.rewind
  dir.read
  at = dir.tell
  name = dir.read
  dir.seek(at)
  p dir.read == name # => true
  File.write(File.join(top, "d"), "")
  p dir.children.size # => 4

  before = Dir.pwd
  p Dir.fchdir(dir.fileno) { Dir.pwd == top } # => true
  p dir.chdir { Dir.pwd == top } # => true
  p Dir.pwd == before # => true
  # The directory is left for good, wherever it is then.
  inner = File.join(top, "inner")
  Dir.mkdir(inner)
  moved = File.join(top, "moved")
  Dir.new(inner).chdir do
    dir.chdir { File.rename(inner, moved) }
    puts Dir.pwd.delete_prefix(top) # => /moved
  end

  p Dir.children(top, encoding: "EUC-JP").map(&:encoding).uniq # => [#<Encoding:EUC-JP>]
  p Dir.new(top, encoding: "EUC-JP").map(&:encoding).uniq # => [#<Encoding:EUC-JP>]
  p Dir.each_child(top, encoding: "EUC-JP").first.encoding # => #<Encoding:EUC-JP>

  fails = ->(&body) { body.call rescue puts "#{$!.class}: #{$!.message.sub(top, "TOP")}" }
  fails.() { dir.dup.read } # => IOError: closed directory
  dir.close
  p dir.close # => nil
  fails.() { dir.read } # => IOError: closed directory
  fails.() { dir.children } # => IOError: closed directory
  fails.() { dir.fileno } # => IOError: closed directory
  p dir.inspect.sub(top, "TOP") # => "#<Dir:TOP>"
  fails.() { Dir.fchdir(-1) } # => Errno::EBADF: Bad file descriptor - fchdir
  fails.() { Dir.new(1) } # => TypeError: no implicit conversion of Integer into String
  fails.() { Dir.new(File.join(top, "a")) } # => Errno::ENOTDIR: Not a directory @ dir_initialize - TOP/a
  fails.() { Dir.empty?(File.join(top, "none")) } # => Errno::ENOENT: No such file or directory @ rb_dir_s_empty_p - TOP/none
  p Dir.empty?(File.join(top, "a")) # => false

  copy = Dir.for_fd(IO.sysopen(top))
  p copy.children.size # => 5
  p copy.path # => nil
  p copy.inspect == "#<Dir:fd #{copy.fileno}>" # => true
end
