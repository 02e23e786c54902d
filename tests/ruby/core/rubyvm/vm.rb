# VMs: making, starting, ending them.

vm = RubyVM.new("adder") { |a, b| $seen = true; a + b }
p vm.status # => "created"
vm.start(1, 2)
p vm.value # => 3
p vm.join.equal?(vm) # => true
p vm.status # => false
p vm.exit_status # => 0
p $seen # => nil
p vm.name # => "adder"
p RubyVM.current.name # => "main"
p RubyVM.main == RubyVM.current # => true
p RubyVM.new("asks") { [RubyVM.main.name, RubyVM.main == RubyVM.current] }.start.value # => ["main", false]

# From a text, with options and arguments.
vm = RubyVM.new("text", "-e", "[RubyVM::ARGV, ARGV, $0, RubyVM.current.name]", "x", "y").start(:a)
p vm.value # => [[:a], ["x", "y"], "-e", "text"]

vm = RubyVM.new("source", source: "__FILE__").start
p vm.value # => "(source)"

# An error is raised where the VM is joined, as often as it is.
vm = RubyVM.new("bad") { raise ArgumentError, "oh no" }.start
errors = Array.new(2) { vm.join rescue $! }
p errors # => [#<ArgumentError: oh no>, #<ArgumentError: oh no>]
p errors[0].backtrace.size > 0 # => true
p vm.status # => nil
p vm.exit_status # => 1

# A class that is not known here: its nearest known ancestor.
vm = RubyVM.new("own", source: "class Mine < IOError; end; raise Mine, 'own'").start
begin
  vm.join
rescue => e
  p e # => #<IOError: own>
end

# The cause comes along.
vm = RubyVM.new("cause") do
  raise "first"
rescue
  raise TypeError, "second"
end.start
begin
  vm.value
rescue => e
  p e.cause # => #<RuntimeError: first>
end

# A value that cannot travel is missed by who asks for it only.
vm = RubyVM.new("thread") { Thread.current }.start.join
p vm.exit_status # => 0
begin
  vm.value
rescue TypeError => e
  p e.message # => "can't send message: Thread can't leave its VM"
end

vm = RubyVM.new("exit") { exit 3 }.start.join
p vm.exit_status # => 3

# Killing runs ensure clauses.
out = RubyVM::Channel.new
vm = RubyVM.new("sleeper") do |o|
  o << :ready
  sleep
ensure
  o << :ensured
end.start(out)
p out.recv # => :ready
vm.kill
p out.recv # => :ensured
p vm.join.status # => false
p vm.value # => nil

# A VM that was never started.
vm = RubyVM.new("idle") { 1 }
begin
  vm.join
rescue RubyVM::Error => e
  p e.message # => "the VM was not started"
end
vm.kill
p vm.status # => false

# Limits end the VM alone.
vm = RubyVM.new("slow", time_limit: 0.05) { loop {} }.start
begin
  vm.join
rescue RubyVM::Error => e
  p e.message # => "VM slow ran longer than its time limit"
end
vm = RubyVM.new("big", memory_limit: 40_000_000) { all = []; loop { all << "x" * 10_000 } }.start
begin
  vm.join
rescue NoMemoryError => e
  p e.class # => NoMemoryError
end

p RubyVM.new("timeout") { sleep }.start.join(0.01) # => nil

# A block must not see what is around it.
x = 1
begin
  RubyVM.new("outer") { [1].each { x } }
rescue ArgumentError => e
  p e.message # => "can not isolate a Proc because it accesses outer variables (x)"
end
begin
  RubyVM.new("none")
rescue ArgumentError => e
  p e.message # => "no script, source or block given"
end

# Its own standard streams and environment.
r, w = IO.pipe
RubyVM.new("streams", stdout: w, env: { "GREETING" => "hi" }) { puts ENV["GREETING"]; STDOUT.print 2 }.start.join
w.close
p r.read # => "hi\n2"
p ENV["GREETING"] # => nil

# Signals.
vm = RubyVM.new("signal") { |o| trap("USR1") { o << :trapped }; o << :set; sleep }.start(out)
p out.recv # => :set
p vm.signal("USR1") # => true
p out.recv # => :trapped
vm.signal(:TERM)
begin
  vm.join
rescue SignalException => e
  p e.message # => "SIGTERM"
end

p RubyVM::InstructionSequence.compile("1 + 2").eval # => 3
