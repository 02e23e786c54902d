# The code that went wrong in messages of NameError, TypeError and ArgumentError.
def shown = (yield; nil) rescue puts($!.detailed_message)
shown { nil.foo + 1 } # => undefined method 'foo' for nil (NoMethodError)
# =>
# => shown { nil.foo + 1 } # => undefined method 'foo' for nil (NoMethodError)
# =>            ^^^^
shown { 1 + nil } # => nil can't be coerced into Integer (TypeError)
# =>
# => shown { 1 + nil } # => nil can't be coerced into Integer (TypeError)
# =>             ^^^
shown { Unknown::Name } # => uninitialized constant Unknown (NameError)
# =>
# => shown { Unknown::Name } # => uninitialized constant Unknown (NameError)
# =>         ^^^^^^^
shown { raise ArgumentError, "text" } # => text (ArgumentError)
# =>
# => shown { raise ArgumentError, "text" } # => text (ArgumentError)
# =>               ^^^^^^^^^^^^^^^^^^^^^
# Where it cannot be told which of two calls it was, nothing is shown.
shown { nil.foo(nil.foo) } # => undefined method 'foo' for nil (NoMethodError)
p (nil.foo rescue $!.detailed_message(error_highlight: false)) # => "undefined method 'foo' for nil (NoMethodError)"
