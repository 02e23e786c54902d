# parallel: no, it forks
# A process that is forked while its threads are seen: the samples and the file of spans are the other one's.
require "tempfile"

def status
  pid = fork { yield }
  Process.wait(pid)
  $?.exitstatus
end

count = GC.stress ? 100 : 5000
samples = RubyVM.profile do
  p status { Thread.new { count.times { "a" * 3 } }.join; exit } # => 0
  p status { exit!(2) } # => 2
  count.times { "b" * 3 }
end
p samples.class # => Array
p status { RubyVM.profile { count.times { "a" * 3 } }.is_a?(Array) and exit!(3) } # => 3

file = Tempfile.new("spans")
RubyVM.trace(file.path) do
  p status { Thread.new { sleep 0.001 }.join; exit } # => 0
  p status { exit!(2) } # => 2
  Thread.new { sleep 0.001 }.join
end
text = File.read(file.path)
p text.scan("traceEvents").size, text.scan('"pid":').size > 2, text.end_with?("]}\n")
# => 1
# => true
# => true
