# parallel: no, it changes into a directory and starts processes
# What a child could not do is raised in the parent, whatever the child's descriptors are.
require "tmpdir"

def raised
  yield
rescue SystemCallError => e
  "#{e.class}: #{e.message}"
end

def status = (Process.wait(yield); $?.exitstatus)

Dir.mktmpdir do |dir|
  Dir.chdir(dir)
  p raised { spawn("no-such-command", (3..60).to_a => ["err", "w"]) } # => "Errno::ENOENT: No such file or directory - no-such-command"
  p File.size("err") # => 0
  p raised { spawn("./no-such-file", 5 => 1, 100 => 1) } # => "Errno::ENOENT: No such file or directory - ./no-such-file"
  p raised { spawn("true", 100_000_000 => 1) } # => "Errno::EBADF: Bad file descriptor - dup2"
  p raised { spawn("true", 5 => 77) } # => "Errno::EBADF: Bad file descriptor - dup2"
  p raised { spawn("true", chdir: "nowhere") } # => "Errno::ENOENT: No such file or directory - nowhere"
  p $?.exitstatus # => 127
  p status { spawn("sh", "-c", "echo here >&9", 9 => ["nine", "w"], 3 => 1, 4 => 1) } # => 0
  p File.read("nine") # => "here\n"

  File.write("script", "echo $0 $1\n")
  # A file that may not be executed is none that PATH leads to.
  p raised { spawn({"PATH" => dir}, "script", "one") } # => "Errno::ENOENT: No such file or directory - script"
  p raised { spawn("./script", "one") } # => "Errno::EACCES: Permission denied - ./script"
  # The system does not know what it is, so the shell runs it.
  File.chmod(0o755, "script")
  p IO.popen(["./script", "two"], &:read) # => "./script two\n"
  p IO.popen([{"PATH" => "/nowhere:"}, "script", "three"], &:read) # => "./script three\n"
  p IO.popen([{"PATH" => nil}, "sh", "-c", "echo four"], &:read) # => "four\n"
  Dir.mkdir("first")
  Dir.mkdir("first/script")
  p IO.popen([{"PATH" => "first:second:."}, "script", "five"], &:read) # => "./script five\n"
  p raised { exec("no-such-command") } # => "Errno::ENOENT: No such file or directory - no-such-command"
  p system("no-such-command"), $?.exitstatus # => nil
  # => 127
  Dir.chdir("/")
end
