# parallel: no, it forks
# A VM that another one has made does not fork, unless it is let; then the new process has that VM only.
p RubyVM.new("kept") { begin; fork { exit }; rescue => e; e.class.name; end }.start.value # => "RubyVM::IsolationError"

r, w = IO.pipe
vm = RubyVM.new("let", allow: [:fork]) do |out|
  pid = fork do
    out.write("#{GC.start.inspect} #{Thread.list.size}")
    out.close
    exit 7
  end
  out.close
  Process.wait(pid)
  $?.exitstatus
end
p vm.start(w).value # => 7
p r.read # => "nil 1"

# The other VMs are not there.
other = RubyVM.new("other") { sleep }.start
pid = fork { exit(other.alive? ? 1 : 0) }
Process.wait(pid)
p $?.exitstatus # => 0
p other.alive? # => true
other.kill
