# Child processes.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

e { [`echo hi`, $?.to_i, $?.class] } # => ["hi\n", 0, Process::Status]
e { [system("exit 3"), $?.exitstatus, $?.success?] } # => [false, 3, false]
e { [system("no_such_command_at_all"), $?.exitstatus] } # => [nil, 127]
e { spawn("no_such_command_at_all") } # => [Errno::ENOENT, "No such file or directory - no_such_command_at_all"]
e { IO.popen("cat", "r+") { |io| io.write "zz"; io.close_write; io.read } } # => "zz"
e { IO.popen(["echo", "a b"]).read } # => "a b\n"
e { Process.wait(spawn("exit 5")); $?.exitstatus } # => 5
e { Process.wait2(spawn("kill -9 $$"))[1].termsig } # => 9
e { IO.popen({"QQ" => "zz"}, "echo $QQ", &:read) } # => "zz\n"
e { ENV["QQ"] = "own"; `echo $QQ` } # => "own\n"
e { IO.popen("echo out; echo err >&2", err: [:child, :out]).read } # => "out\nerr\n"
e { t = Thread.new { `exec sleep 60 2>/dev/null` }; Thread.pass until t.stop?; t.kill; t.join(20).class } # => Thread
# parallel: no, children write to the process's streams, and wait takes any child
