# A VM's working directory and file mode creation mask are its own.
require "rbconfig"
require "tmpdir"

begin
  RubyVM.new("can it", chdir: "/") { 1 }.start.join
rescue NotImplementedError => e
  puts "skipped: #{e.message}"
  exit
end

top = File.realpath(Dir.mktmpdir)
Dir.mkdir("#{top}/a")
Dir.mkdir("#{top}/b")
File.write("#{top}/a/name", "in a")
File.write("#{top}/b/name", "in b")
File.write("#{top}/b/part.rb", "$parts = [*$parts, __FILE__]")
before = Dir.pwd
p before == top # => false

looks = lambda do
  [Dir.pwd, File.read("name"), File.exist?("name"), File.expand_path("x"), Dir.children(".").sort, Dir["*"].sort,
   `pwd`.chomp, IO.popen(["cat", "name"], &:read), Thread.new { Dir.pwd }.value, File.stat("name").size]
end
inside = RubyVM.new("inside", chdir: "#{top}/a", &looks).start
p inside.value.map { |v| v.is_a?(String) ? v.sub(top, "") : v }
# => ["/a", "in a", true, "/a/x", ["name"], ["name"], "/a", "in a", "/a", 4]

vm = RubyVM.new("moves") do |top|
  list = [Dir.chdir("#{top}/a") { File.read("name") }]
  # A thread that was there before moves along.
  go = Queue.new
  thread = Thread.new { go.pop; [File.read("name"), Dir.pwd] }
  Dir.chdir("#{top}/b")
  go << 1
  list += thread.value
  require "./part"
  load "part.rb"
  list.concat($parts.map { |part| File.basename(part) })
  list << Dir.chdir("..") { File.realpath("a/name") }
  File.write("made", "x")
  File.rename("made", "renamed")
  # What a VM starts begins where it is.
  list << RubyVM.new("inner") { Dir.pwd }.start.value
  list << RubyVM.new("inner", chdir: "../a") { Dir.pwd }.start.value
  # Renamed while it is in there.
  File.rename("#{top}/b", "#{top}/c")
  list << File.read("name")
end.start(top)
p vm.value.map { |text| text.delete_prefix(top) }
# => ["in a", "in b", "/b", "part.rb", "part.rb", "/a/name", "/b", "/a", "in b"]
p Dir.children("#{top}/c").sort # => ["name", "part.rb", "renamed"]
p Dir.pwd == before # => true

missing = RubyVM.new("missing", chdir: "#{top}/nowhere") { 1 }.start
begin
  missing.join
rescue SystemCallError => e
  p e.class # => Errno::ENOENT
end

# The mask.
mask = File.umask
p RubyVM.new("mask") { File.umask(0o27); File.umask }.start.value == 0o27 # => true
p File.umask == mask # => true

# The main VM moves without the others.
ready = RubyVM::Channel.new
go = RubyVM::Channel.new
stays = RubyVM.new("stays") { |ready, go| ready << 1; go.recv; Dir.pwd }.start(ready, go)
ready.recv
Dir.chdir("#{top}/a") { go << 1; p stays.value == before } # => true

require "fileutils"
FileUtils.rm_r(top)
