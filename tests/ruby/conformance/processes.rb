# Processes: identities, statuses of children, limits, and clocks.
# args: -W0
# parallel: no, it waits for children, and signals are the process's
p(Process.pid.class) # => Integer
p(Process.ppid.class) # => Integer
p(Process.uid == Process.euid) # => true
p(Process.gid == Process::Sys.getgid) # => true
p(Process::Sys.getuid == Process.uid) # => true
p(Process::Sys.geteuid == Process::UID.eid) # => true
p(Process::Sys.getegid == Process::GID.eid) # => true
p(Process::UID.rid == Process.uid) # => true
p(Process::GID.rid == Process.gid) # => true
p(Process::UID.re_exchangeable?) # => true
p(Process::GID.re_exchangeable?) # => true
p(Process::UID.sid_available?) # => true
p(Process::GID.sid_available?) # => true
p(Process.getpgrp == Process.getpgid(0)) # => true
p(Process.getsid.class) # => Integer
p(Process.getpriority(Process::PRIO_PROCESS, 0).class) # => Integer
p(Process.maxgroups.class) # => Integer
p(Process.groups.class) # => Array
p(Process.setproctitle("a title")) # => "a title"
p(Process.warmup) # => true
p(Process.last_status) # => nil
p(Process.times.class) # => Process::Tms
p(Process.times.utime.class) # => Float
p(Process.clock_getres(Process::CLOCK_MONOTONIC).class) # => Float
p(Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond).class) # => Integer
p(Process.getrlimit(:NOFILE).size) # => 2
def status(*command)
  pid = Process.spawn(*command, err: File::NULL)
  Process.wait(pid)
  $?
end
s = status("exit 3")
p(s.exited?) # => true
p(s.exitstatus) # => 3
p(s.signaled?) # => false
p(s.stopped?) # => false
p(s.coredump?) # => false
p(s.termsig) # => nil
p(s.stopsig) # => nil
p(s.success?) # => false
p(s.to_i) # => 768
p(s == 768) # => true
p(s.pid == Process.last_status.pid) # => true
p(s.inspect.sub(/\d+/, "N")) # => "#<Process::Status: pid N exit 3>"
p(s.to_s.sub(/\d+/, "N")) # => "pid N exit 3"
s = status("kill -TERM $$")
p(s.exited?) # => false
p(s.exitstatus) # => nil
p(s.signaled?) # => true
p(s.termsig) # => 15
p(s.success?) # => nil
p(s.to_s.sub(/\d+/, "N")) # => "pid N SIGTERM (signal 15)"
p(s.inspect.sub(/\d+/, "N")) # => "#<Process::Status: pid N SIGTERM (signal 15)>"
s = status("true")
p(s.success?) # => true
p(s.exitstatus) # => 0
p(s.to_i) # => 0
pid = spawn("sleep 5")
Process.kill(:STOP, pid)
_, s = Process.waitpid2(pid, Process::WUNTRACED)
p(s.stopped?) # => true
p(s.stopsig == Signal.list["STOP"]) # => true
p(s.exited?) # => false
Process.kill(:CONT, pid)
Process.kill("KILL", pid)
p(Process.waitpid(pid) == pid) # => true
p($?.termsig) # => 9
p((Process.wait rescue $!.class)) # => Errno::ECHILD
p((Process.kill(:TERM, 2**22 + 5) rescue $!.class)) # => Errno::ESRCH
p((Process.kill(:NOPE, 0) rescue $!.message)) # => "unsupported signal 'SIGNOPE'"
p system("exit 2"), $?.exitstatus, system("nonexistent-command-here"), `printf ab`, $?.to_i, system("exit 1", exception: true) rescue puts $!.message # => Command failed with exit 1: exit 1
p((Process.spawn("nonexistent-command-here") rescue $!.class)) # => Errno::ENOENT
p(Process.detach(spawn("exit 4")).value.exitstatus) # => 4
p(IO.popen("cat", "r+") { |io| io << "x"; io.close_write; io.read }) # => "x"
p(IO.popen(["echo", "a b"]).read) # => "a b\n"
p(IO.popen({ "V" => "1" }, "echo $V", &:read)) # => "1\n"
p(Signal.signame(2)) # => "INT"
p(Signal.list["HUP"]) # => 1
p((Signal.trap("KILL") {} rescue $!.message)) # => "Invalid argument - SIGKILL"
p(nil) # => nil
p trap("USR1") { puts "got usr1" }
# => "DEFAULT"
# => got usr1
Process.kill(:USR1, Process.pid)
sleep 0.05
p(trap("USR1", "DEFAULT").class) # => Proc
p(Process.setpriority(Process::PRIO_PROCESS, 0, Process.getpriority(Process::PRIO_PROCESS, 0))) # => 0
p((exit("x") rescue $!.class)) # => TypeError
p((begin; exit(3); rescue SystemExit => e; [e.status, e.success?, e.message]; end)) # => [3, false, "exit"]
p((begin; abort; rescue SystemExit => e; e.status; end)) # => 1
trap("EXIT") { puts "bye" } # => bye
at_exit { puts "first" } # => first
at_exit { $stdout.flush }
