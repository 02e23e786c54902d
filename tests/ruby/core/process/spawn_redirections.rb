# Redirections that follow one another, that make no sense, and ids of the child.
def refused
  yield
rescue SystemCallError, ArgumentError => e
  e.message.size < 60 ? [e.class, e.message] : e.class
end

file = "/tmp/spawn_redirections.#{$$}.#{Thread.current.object_id}"
Process.wait spawn("echo err >&2; echo out", 1 => file, 2 => [:child, 3], 3 => [:child, 4], 4 => [:child, 1])
p File.read(file) # => "err\nout\n"
File.delete(file)

p refused { spawn("true", 3 => [:child, 4], 4 => [:child, 3]) } # => [ArgumentError, "cyclic child fd redirection from 4"]
p refused { spawn("true", 2 => [:child, 1]) } # => [ArgumentError, "child fd 1 is not redirected"]
p refused { spawn("true", [1, $stdout] => 2) } # => [ArgumentError, "fd 1 specified twice"]
p refused { spawn("true", -1 => 2) } # => [ArgumentError, "negative file descriptor"]
IO.popen("cat", "r+") do |both|
  p refused { spawn("true", both => 1) } # => [ArgumentError, "duplex IO redirection"]
  p refused { spawn("true", 1 => both) } # => [ArgumentError, "duplex IO redirection"]
end
p refused { spawn("true", "rlimit_cpu\0": 1) }.class # => Array
p refused { Process.initgroups("\0", 0) } # => [ArgumentError, "string contains null byte"]
p refused { Process.groups = [0] * (Process.maxgroups + 1) } # => [ArgumentError, "too many groups, 65536 max"]
p refused { spawn("long" * 100, "argument") } # => Errno::ENOENT
p $?.exitstatus # => 127

# Only root may become somebody else.
became = [[:uid, "-u"], [:gid, "-g"]].map do |option, flag|
  if Process.euid == 0
    IO.popen(["id", flag, { option => 65534 }], &:read) == "65534\n"
  else
    refused { spawn("true", option => 0) }.first == Errno::EPERM
  end
end
p became # => [true, true]
