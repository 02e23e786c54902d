# A stream that is reopened with another one writes at once if that one does, and only then.
reader, writer = IO.pipe
copy = STDOUT.dup
copy.sync = false
copy.reopen(writer)
p copy.sync # => true
copy.print "seen"
p reader.readpartial(10) # => "seen"

file = File.open(File::NULL, "w")
file.sync = true
file.reopen(File::NULL)
p file.sync # => true
file.reopen(File.open(File::NULL, "w"))
p file.sync # => false

# So nothing is left behind that could not be written.
reader.close
begin
  copy.print "lost"
rescue Errno::EPIPE => e
  p e.class # => Errno::EPIPE
end
copy.reopen(STDOUT)
copy.puts "back" # => back
