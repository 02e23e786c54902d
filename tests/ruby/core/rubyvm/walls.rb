# Only the main VM changes the process; another one may do what its creator lets it by name.

# What changes the process, by its methods: whatever is not in the second list is in the first.
CHANGES = {
  Process => %i[setrlimit setpriority setsid setpgid setpgrp setproctitle groups= initgroups uid= gid= euid= egid= exit! exec kill],
  Process::UID => %i[change_privilege eid= grant_privilege re_exchange switch],
  Process::GID => %i[change_privilege eid= grant_privilege re_exchange switch],
  Process::Sys => %i[setegid seteuid setgid setregid setresgid setresuid setreuid setrgid setruid setuid]
}
HARMLESS = {
  Process => %i[
    _fork abort argv0 at_exit clock_getres clock_gettime constants daemon detach egid euid exit fork getpgid getpgrp getpriority
    getrlimit getsid gid groups last_status maxgroups maxgroups= pid ppid spawn times uid wait wait2 waitall waitpid
    waitpid2 warmup
  ],
  Process::UID => %i[eid from_name re_exchangeable? rid sid_available?],
  Process::GID => %i[eid from_name re_exchangeable? rid sid_available?],
  Process::Sys => %i[getegid geteuid getgid getuid issetugid]
}
CHANGES.each do |scope, names|
  unknown = scope.singleton_methods(false) - names - HARMLESS[scope]
  puts "#{scope}: what is #{unknown}?" unless unknown.empty?
end

# Each of them with arguments that would change nothing.
calls = {
  "setrlimit" => "Process.setrlimit(:NOFILE, *Process.getrlimit(:NOFILE))",
  "setpriority" => "Process.setpriority(Process::PRIO_PROCESS, 0, Process.getpriority(Process::PRIO_PROCESS, 0))",
  "setsid" => "Process.setsid",
  "setpgid" => "Process.setpgid(0, 0)",
  "setpgrp" => "Process.setpgrp",
  "setproctitle" => "Process.setproctitle('x')",
  "groups=" => "Process.groups = Process.groups",
  "uid=" => "Process.uid = Process.uid",
  "gid=" => "Process.gid = Process.gid",
  "euid=" => "Process.euid = Process.euid",
  "egid=" => "Process.egid = Process.egid",
  "UID.eid=" => "Process::UID.eid = Process.euid",
  "Sys.setuid" => "Process::Sys.setuid(Process.uid)",
  "Sys.setgid" => "Process::Sys.setgid(Process.gid)",
  "exit!" => "exit!(3)",
  "Process.exit!" => "Process.exit!(3)",
  "exec" => "exec('true')",
  "Process.exec" => "Process.exec('true')",
  "kill" => "Process.kill(:KILL, Process.pid)",
  "kill 0" => "Process.kill(:STOP, 0)",
  "kill -1" => "Process.kill(:KILL, -1)",
  "kill group" => "Process.kill(:KILL, -Process.getpgrp)",
  "kill by group" => "Process.kill('-KILL', Process.getpgrp)",
  "kill in a thread" => "Thread.new { Thread.current.report_on_exception = false; Process.kill(:KILL, $$) }.value"
}
calls.each do |name, call|
  answer = RubyVM.new("child", source: "begin; #{call}; :done; rescue RubyVM::IsolationError; :refused; end").start.value
  puts "#{name}: #{answer}" unless answer == :refused
end

message = RubyVM.new("child") do
  Process.setproctitle("x")
rescue RubyVM::Error => e
  [e.class, e.message]
end
p message.start.value # => [RubyVM::IsolationError, "can not call setproctitle: only the main VM changes the process"]

# Let in by name, and only what who lets it may itself.
allowed = RubyVM.new("child", allow: [:setproctitle]) do
  inner = RubyVM.new("grandchild", allow: [:setproctitle]) { Process.setproctitle("x") }
  refused = begin
    RubyVM.new("grandchild", allow: ["setrlimit"]) { 1 }
  rescue RubyVM::IsolationError
    :refused
  end
  [Process.setproctitle("y"), inner.start.value, refused]
end
p allowed.start.value # => ["y", "x", :refused]

# What VMs have of their own they change.
p RubyVM.new("child") { Dir.chdir("/"); File.umask(0o77); [Dir.pwd, File.umask] }.start.value # => ["/", 63]

# Of signals those that no VM can trap.
p RubyVM.new("child") { trap(:WINCH) { $got = true }; Process.kill(:WINCH, Process.pid); sleep 0.01 until $got; Process.kill(0, 0) }.start.value # => 1
p RubyVM.new("child") { pid = spawn("sleep 9"); Process.kill(:KILL, pid); Process.wait(pid); $?.termsig }.start.value # => 9
