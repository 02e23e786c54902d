# What `Process.daemon` is given has to say yes or no; nothing has been done when it does not.
def refused
  yield
rescue ArgumentError => e
  e.message
end

p refused { Process.daemon(1) } # => "expected true or false as nochdir: 1"
p refused { Process.daemon(nil, "x") } # => "expected true or false as noclose: \"x\""
