# The Arrays of an exception's backtrace are made once: what is taken out of them is gone.
def f = raise("x")

begin
  f
rescue => e
end
p e.backtrace_locations.equal?(e.backtrace_locations), e.backtrace.equal?(e.backtrace) # => true
# => true
e.backtrace_locations.shift
p e.backtrace_locations.size, e.backtrace.size # => 1
# => 2
e.backtrace.shift
p e.backtrace.size, e.backtrace_locations.map(&:lineno) # => 1
# => [5]
count = 0
count += 1 while e.backtrace_locations.shift
p count # => 1

# Strings in its place leave the Locations, Locations do not.
begin
  f
rescue => e
end
e.set_backtrace(["a"])
p e.backtrace, e.backtrace_locations.map(&:lineno) # => ["a"]
# => [2, 22]
e.set_backtrace(nil)
p e.backtrace, e.backtrace_locations.size # => nil
# => 2
e.set_backtrace(caller_locations(0))
p e.backtrace.size, e.backtrace_locations.map(&:lineno) # => 1
# => [31]

# Raised again it keeps them.
begin
  raise e
rescue => again
end
p again.backtrace_locations.map(&:lineno) # => [31]
fresh = RuntimeError.new("y")
p fresh.backtrace_locations, fresh.set_backtrace(["b"]), fresh.backtrace_locations # => nil
# => ["b"]
# => nil

# One that is frozen.
begin
  f
rescue => e
end
e.freeze
p e.backtrace_locations.size, e.backtrace.size # => 2
# => 2
