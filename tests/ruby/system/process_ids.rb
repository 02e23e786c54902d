# What a process is to the system, and ARGF of other names than ARGV's.
p Process.getpgid(0) == Process.getpgrp # => true
p Process.getrlimit(:NOFILE).size # => 2
p Process.setrlimit(:CORE, *Process.getrlimit(Process::RLIMIT_CORE)) # => nil
p Process.getpriority(Process::PRIO_PROCESS, 0).is_a?(Integer) # => true
p Process::UID.eid == Process.euid # => true
p Process.groups.all?(Integer) # => true
begin
  Process.getrlimit(:FOO)
rescue ArgumentError => e
  puts e.message # => invalid resource name: FOO
end
pid = Process.spawn("exit 3", pgroup: true)
p Process.detach(pid).value.exitstatus # => 3
p Process::Status.wait.pid # => -1
path = "/tmp/asterism-argf-#{$$}-#{Thread.current.object_id}"
File.write(path, "a\nb\n")
argf = ARGF.class.new(path, path)
p argf.class # => ARGF.class
p argf.gets, argf.filename == path, argf.lineno # => "a\n"
# => true
# => 1
p argf.read # => "b\na\nb\n"
p argf.gets # => nil
File.delete(path)
# A minus sign means the group, in names as in numbers.
["-TERM", "-SIGTERM", -15, :"-TERM"].each do |signal|
  pid = Process.spawn("sleep 20", pgroup: true)
  Process.kill(signal, pid)
  Process.wait(pid)
  p $?.termsig
end
# => 15
# => 15
# => 15
# => 15
# parallel: no, priority, groups and sessions belong to the process
