# An exception in a thread is reported on stderr and raised again by join and value.
quiet = Thread.new do
  Thread.current.report_on_exception = false
  raise ArgumentError, "inside"
end
begin
  quiet.join
rescue ArgumentError => e
  p e.message # => "inside"
end
p quiet.status, quiet.alive?
# => nil
# => false
loud = Thread.new { raise "reported" }
begin
  loud.value
rescue => e
  p e.message # => "reported"
end
# stderr: terminated with exception (report_on_exception is true)
# stderr: reported (RuntimeError)
p Thread.new { throw :nowhere rescue $!.class }.value # => UncaughtThrowError
p Thread.new { Thread.exit; 1 }.value # => nil
p Thread.new { Thread.current[:x] = 1; Thread.current[:x] }.value # => 1
