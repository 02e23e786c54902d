# Signals: trap, default actions as exceptions.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

e { [trap("USR1", "IGNORE"), trap("USR1", "DEFAULT"), trap("USR1") { }] } # => ["DEFAULT", "IGNORE", "DEFAULT"]
e { Process.kill(:INT, $$); sleep 1 } # => [Interrupt, ""]
e { begin; Process.kill(:TERM, $$); sleep 1; rescue SignalException => x; [x.signo, x.signm]; end } # => [15, "SIGTERM"]
e { got = []; trap("USR1") { |n| got << n }; Process.kill("USR1", $$); sleep 0.01 while got.empty?; got } # => [10]
e { trap("KILL") { } } # => [Errno::EINVAL, "Invalid argument - SIGKILL"]
e { trap("SEGV") { } } # => [ArgumentError, "can't trap reserved signal: SIGSEGV"]
e { trap("NOPE") { } } # => [ArgumentError, "unsupported signal 'SIGNOPE'"]
e { [Signal.list["INT"], Signal.signame(15), Signal.signame(99)] } # => [2, "TERM", nil]
e { Process.kill(0, $$) } # => 1
e { Process.kill(:NOPE, $$) } # => [ArgumentError, "unsupported signal 'SIGNOPE'"]
e { t = Thread.new { sleep }; sleep 0.01; begin; Process.kill(:INT, $$); sleep 1; rescue Interrupt; t.alive?; end } # => true
# parallel: no, signals and their handlers belong to the process

# SYSTEM_DEFAULT is what the system does.
p trap(:INT, "SYSTEM_DEFAULT"), trap(:INT, "DEFAULT") # => "DEFAULT"
# => "SYSTEM_DEFAULT"
pid = fork { trap(:TERM, "SYSTEM_DEFAULT"); begin; Process.kill(:TERM, $$); sleep; ensure; exit!(3); end }
p Process.wait2(pid)[1].termsig # => 15
