# trace_var and untrace_var.
# parallel: no, global variables belong to the VM

seen = []
trace_var(:$watched) { |v| seen << [:first, v] }
second = proc { |v| seen << [:second, v]; $watched = v }
trace_var(:$watched, second)
$watched = 1
p seen, $watched # => [[:second, 1], [:first, 1]]
# => 1
p untrace_var(:$watched, second) == [second] # => true
p untrace_var(:$watched, second) # => nil
$watched = 2
p seen.last # => [:first, 2]
trace_var("$watched", "$told = $watched")
$watched = 3
p $told # => 3
p untrace_var(:$watched).size # => 2
$watched = 4
p $told # => 3
trace_var(:$watched) { raise "no" }
begin
  $watched = 5
rescue => e
  p e.message, $watched # => "no"
  # => 5
end
trace_var(:$watched, nil)
$watched = 6
trace_var(:$,) { |v| p [:comma, v] }
$, = nil # => [:comma, nil]
begin; untrace_var(:$never_seen_before); rescue NameError => e; p e.message; end # => "undefined global variable $never_seen_before"
begin; trace_var(:$x); rescue ArgumentError => e; p e.message; end # => "tried to create Proc object without a block"
