# Signals: each VM has traps of its own. The process's reach every VM that has a trap for them, and the main VM.
# parallel: no, a process has signals once

out = RubyVM::Channel.new
trapping = RubyVM.new("traps") { |o| trap("USR1") { o << :child }; o << :ready; sleep }.start(out)
ignoring = RubyVM.new("ignores") { |o| trap("USR1", "IGNORE"); o << :ready; sleep }.start(out)
plain = RubyVM.new("knows nothing of it") { |o| o << :ready; sleep }.start(out)
3.times { out.recv }
p trap("USR1") { out << :main } # => "DEFAULT"
Process.kill(:USR1, Process.pid)
p [out.recv, out.recv].sort # => [:child, :main]

# From another VM, and from outside.
sender = RubyVM.new("sends") { Process.kill(:USR1, Process.pid) }.start
p [out.recv, out.recv].sort # => [:child, :main]
sender.join
system("kill -USR1 #{Process.pid}")
p [out.recv, out.recv].sort # => [:child, :main]
p [trapping, ignoring, plain].map(&:alive?) # => [true, true, true]

# A signal that only a VM has a trap for.
only = RubyVM.new("only") { |o| trap("WINCH") { o << :changed }; o << :ready; sleep }.start(out)
out.recv
Process.kill(:WINCH, Process.pid)
p out.recv # => :changed

# One VM to another: without a trap it raises there.
plain.signal("USR1")
begin
  plain.join
rescue SignalException => e
  p e.message # => "SIGUSR1"
end
p ignoring.signal(:USR1), ignoring.alive?
# => true
# => true
[trapping, ignoring, only].each { |vm| vm.kill.join }
p out.try_recv # => nil
