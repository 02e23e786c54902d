# The directory is that of all threads: one at a time may have a block of chdir.
require "stringio"
def warned
  err, $stderr = $stderr, StringIO.new
  yield
  $stderr.string[/: warning: (.*)$/, 1]
ensure
  $stderr = err
end
conflict = proc { Thread.new { Dir.chdir("/") rescue $! }.value }
Dir.chdir("/") do
  p warned { Dir.chdir("/") } # => "conflicting chdir during another chdir block"
  p warned { Dir.chdir("/") { } } # => nil
  p conflict.call # => #<RuntimeError: conflicting chdir during another chdir block>
  p Thread.new { Dir.chdir("/") { } rescue $!.class }.value # => RuntimeError
  p Thread.new { Dir.open("/") { |dir| dir.chdir { } rescue $!.class } }.value # => RuntimeError
  Dir.chdir("/") { p Dir.pwd } # => "/"
  p conflict.call.class # => RuntimeError
end
p conflict.call, warned { Dir.chdir("/") } # => 0
# => nil
p((Dir.chdir("/nowhere at all") { } rescue $!.class), conflict.call) # => Errno::ENOENT
# => 0
# A process that was forked in another thread's block has no such block.
ends = Queue.new
begun = Queue.new
thread = Thread.new { Dir.chdir("/") { begun << 1; ends.pop } }
begun.pop
pid = fork { exit!(Dir.chdir("/") == 0) }
p Process.wait2(pid)[1].success? # => true
ends << 1
thread.join
# Without a home there is no default.
home = ENV.delete("HOME")
p((Dir.chdir rescue $!)) # => #<ArgumentError: HOME/LOGDIR not set>
ENV["LOGDIR"] = "/"
p Dir.chdir { Dir.pwd } # => "/"
ENV["HOME"] = home
