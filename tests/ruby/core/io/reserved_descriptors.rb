# parallel: no, it looks at all descriptors of the process
# A program cannot name the descriptors that the runtime keeps for itself.
inside = (3..30).select { |n| File.exist?("/proc/self/fd/#{n}") }
reserved = inside.select do |n|
  IO.for_fd(n, autoclose: false) && false
rescue ArgumentError => e
  e.message == "The given fd is not accessible because RubyVM reserves it" || puts(e.message)
rescue Errno::EBADF
  false
end
p reserved.size >= 2 # => true

# Signals still arrive.
trap(:USR1) { puts "arrived" }
Process.kill(:USR1, $$)
sleep 0.05
# => arrived

r, w = IO.pipe
again = IO.for_fd(w.fileno, "w", autoclose: false)
again << "mine"
again.flush
p r.readpartial(4) # => "mine"
