# BEGIN runs first; END and at_exit run last, in reverse order, also after an exit.
puts "body"
BEGIN { puts "begin" }
END { puts "end block" }
at_exit { puts "first registered" }
at_exit do
  puts "last registered"
  at_exit { puts "registered while exiting" }
end
3.times { END { puts "only once" } }
at_exit { puts "status #{$!.status}" }
begin
  exit 3
rescue SystemExit => e
  puts "rescued #{e.status} #{e.success?}"
end
puts "leaving"
exit 3

# => begin
# => body
# => rescued 3 false
# => leaving
# => status 3
# => only once
# => last registered
# => registered while exiting
# => first registered
# => end block
# exit: 3
# parallel: no, at_exit runs when the process ends
