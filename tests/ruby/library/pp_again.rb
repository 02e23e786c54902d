# args: -w
# `pp` is ours in part: loading it warns of nothing.
require "pp"
puts({ a: 1 }.pretty_inspect) # => {a: 1}
