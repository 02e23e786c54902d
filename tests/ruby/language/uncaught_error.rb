# An uncaught exception ends the program with its message on stderr and status 1.
class Custom < StandardError; end
def deep = raise(Custom, "from deep: with a colon")
at_exit { puts "at_exit sees #{$!.class}" }
begin
  puts "before" # => before
ensure
  puts "ensure" # => ensure
end
deep # error: Custom: from deep: with a colon
puts "never"
# => at_exit sees Custom
# parallel: no, at_exit runs when the process ends
