# parallel: no, the name is the process's
# `Process.argv0` is the program's first name.
first = $0.dup
$0 = "hello world"
p Process.argv0 == first # => true
p Process.argv0.frozen? # => true
$0 = "again"
p [Process.argv0 == first, $0] # => [true, "again"]
