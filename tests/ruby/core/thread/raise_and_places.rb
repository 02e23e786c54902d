# Thread#raise takes what raise takes, with the cause of the caller; places of threads; a killed thread that sleeps.
def raised_in(*args, **opts)
  t = Thread.new { Thread.current.report_on_exception = false; sleep }
  Thread.pass until t.stop?
  t.raise(*args, **opts)
  t.join
rescue => e
  [e.class, e.message, e.cause&.message]
end
p raised_in # => [RuntimeError, "", nil]
p raised_in("a", cause: IOError.new("c")) # => [RuntimeError, "a", "c"]
begin
  raise "outer"
rescue
  p raised_in(ArgumentError, "b") # => [ArgumentError, "b", "outer"]
end
p((Thread.current.raise(cause: nil) rescue [$!.class, $!.message]))
# => [ArgumentError, "only cause is given with no arguments"]

t = Thread.new { begin; Thread.current.kill; ensure; Thread.stop; end }
Thread.pass until t.stop?
p t.status # => "sleep"
p t.inspect.end_with?(" sleep_forever>") # => true
t.wakeup
p t.join.equal?(t), t.status # => true
# => false

p Thread.current.backtrace(0, 1).size, Thread.current.backtrace(1..).size >= 0 # => 1
# => true
p((Thread.current.backtrace(-1) rescue $!.message)) # => "negative level (-1)"
def here
  lines = []
  Thread.each_caller_location { |l| lines << l.lineno }
  lines.first
end
p here # => 36

module Lazily
  autoload :Missing, "./no/such/file"
end
p defined?(Lazily::Missing), Lazily.const_defined?(:Missing) # => "constant"
# => true
