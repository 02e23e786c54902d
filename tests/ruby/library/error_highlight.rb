# ErrorHighlight.spot: where a message points.
def spot_of(error, **) = ErrorHighlight.spot(error, **)&.values_at(:first_lineno, :first_column, :last_column, :snippet)

p defined?(ErrorHighlight) # => "constant"
begin
  nil.foo(1)
rescue => e
end
p spot_of(e), spot_of(e, backtrace_location: e.backtrace_locations.first) # => [6, 5, 9, "  nil.foo(1)\n"]
# => [6, 5, 9, "  nil.foo(1)\n"]
p ErrorHighlight.spot(e)[:script_lines].size > 20 # => true
puts ErrorHighlight.formatter.message_for(ErrorHighlight.spot(e)).lstrip.lines.last # =>      ^^^^
begin
  raise "x\n\ny\n^^"
rescue => e
end
p spot_of(e), ErrorHighlight.spot(RuntimeError.new), (ErrorHighlight.spot(1) rescue $!.message) # => nil
# => nil
# => "Exception is expected"
begin
  [nil].each { |x| x.bar }
rescue => e
end
p e.backtrace_locations.map { |place| spot_of(e, backtrace_location: place) }.compact.uniq.size # => 1
