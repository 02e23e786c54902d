# What other processes see as the command line.
def shown = File.binread("/proc/#{Process.pid}/cmdline").sub(/\0+\z/, "")

$0 = "short"
puts shown # => short
puts $0 # => short
p Process.setproctitle("another") # => "another"
puts shown # => another
puts $0 # => short
# There is room beyond the command line the process began with.
long = "long " * 60
$0 = long
puts shown.start_with?("long " * 30) # => true
# The environment is where it was, for the process and for its children.
puts ENV["PATH"] == IO.popen(["printenv", "PATH"], &:read).chomp # => true
puts IO.popen({"A" => "b"}, ["printenv", "A"], &:read) # => b
$0 = "x"
puts shown # => x
# In several threads at once it is one of them.
8.times.map { |i| Thread.new { 100.times { $0 = i.to_s * 20 } } }.each(&:join)
puts shown.match?(/\A\d{20}\z/) # => true
# Another VM has a name of its own and leaves the process's.
$0 = "main"
vm = RubyVM.new("other", source: "$0 = 'other'; begin; Process.setproctitle('x'); rescue => e; [$0, e.class]; end").start
p vm.value # => ["other", RubyVM::IsolationError]
puts shown # => main
begin
  Process.setproctitle(1)
rescue TypeError => e
  puts e.message # => no implicit conversion of Integer into String
end
