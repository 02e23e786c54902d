# A VM that is made by a VM has the standard streams of that one.
r, w = IO.pipe
nested = 'RubyVM.new("inner", source: "$stdout.sync = true; puts 1; warn 2; STDOUT.puts 3; p STDIN.read; system(%q(echo 4), out: STDOUT)").start.value'
RubyVM.new("outer", stdin: File.open(File::NULL), stdout: w, stderr: w, source: nested).start.value
w.close
p r.read # => "1\n2\n3\n\"\"\n4\n"

# What it names comes first.
r, w = IO.pipe
RubyVM.new("outer", stdout: File.open(File::NULL, "w")) { |out| RubyVM.new("inner", stdout: out) { puts "named" }.start.value }.start(w).value
w.close
p r.read # => "named\n"

# Streams that the maker has closed lead nowhere.
closed = RubyVM.new("outer") do
  $stdout.close
  $stdin.close
  RubyVM.new("inner") { [$stdout.write("lost"), $stdin.read] }.start.value
end
p closed.start.value # => [4, ""]
RubyVM.new("last") { puts "shown" }.start.value # => shown
