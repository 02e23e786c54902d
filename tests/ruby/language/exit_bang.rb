# exit! skips ensure clauses and at_exit.
at_exit { puts "never" }
begin
  $stdout.puts "before" # => before
  $stdout.flush
  exit!(4)
ensure
  puts "never"
end
# exit: 4
# parallel: no, it ends the process
