# The cause of an uncaught exception is printed after it.
begin
  raise ArgumentError, "the cause"
rescue ArgumentError
  raise "the effect" # error: RuntimeError: the effect
end
# stderr: the cause (ArgumentError)
