# Kernel#warn: which line `uplevel:` names, categories, Warning.warn with and without keywords.
# parallel: no, Warning and $stderr are the process's
$stderr = $stdout

class Calls
  def inner(level) = warn("text", uplevel: level)

  def outer(level)
    inner(level)
  end
end

show = ->(level) { Calls.new.outer(level) }
$stdout = Class.new { def write(text) = STDOUT.write(text.sub(/.*warn_uplevel/, "warn_uplevel")) }.new
$stderr = $stdout
show.(0) # => warn_uplevel.rb:6: warning: text
show.(1) # => warn_uplevel.rb:9: warning: text
show.(2) # => warn_uplevel.rb:13: warning: text
show.(100) # => warning: text
warn "", uplevel: 0 # => warn_uplevel.rb:20: warning: 
$stdout = STDOUT
$stderr = $stdout
fails = ->(&body) { body.call rescue puts "#{$!.class}: #{$!.message}" }
fails.() { warn "x", uplevel: "1" } # => TypeError: no implicit conversion of String into Integer
fails.() { warn "x", uplevel: -1 } # => ArgumentError: negative level (-1)
fails.() { warn "x", category: 1 } # => TypeError: no implicit conversion of Integer into Symbol
fails.() { warn "x", category: :none } # => ArgumentError: unknown category: none
warn "shown", category: "experimental" # => shown

# Keywords alone are no arguments too many.
$VERBOSE = true
p format("unused", a: 1) # => "unused"
$VERBOSE = false

def Warning.warn(text, **opts) = puts("#{text.chomp} #{opts}")
warn "a" # => a {category: nil}
warn "b", category: :experimental # => b {category: :experimental}
Kernel.instance_method(:warn).bind_call(Warning, "c") # => c
def Warning.warn(text) = puts("only #{text}")
warn "d", category: :experimental # => only d
