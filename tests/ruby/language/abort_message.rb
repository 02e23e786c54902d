# abort prints its message to stderr and exits with 1.
puts "before" # => before
at_exit { puts "after #{$!.status}" }
# => after 1
# stderr: stopped here
# exit: 1
abort "stopped here"
# parallel: no, at_exit runs when the process ends
