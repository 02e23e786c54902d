# The code that went wrong in messages of NameError, TypeError and ArgumentError: the mark under the line.
def mark
  yield
rescue => e
  e.detailed_message(highlight: false).lines.last
end
p mark { nil.foo + 1 } # => "            ^^^^"
p mark { 1 + nil } # => "             ^^^"
p mark { Unknown::Name } # => "         ^^^^^^^"
p mark { "".unknown = 1 } # => "           ^^^^^^^^^^"
p mark { raise ArgumentError, "text" } # => "               ^^^^^^^^^^^^^^^^^^^^^"
# Where it cannot be told which of two calls it was, nothing is shown.
p mark { nil.foo(nil.foo) } # => "undefined method 'foo' for nil (NoMethodError)"
p (nil.foo rescue $!.detailed_message(highlight: false, error_highlight: false)) # => "undefined method 'foo' for nil (NoMethodError)"
