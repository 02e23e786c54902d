# Of a stack overflow's backtrace only the ends are printed.
# error: SystemStackError: stack level too deep
# stderr: ... 17 levels...
raise SystemStackError, "stack level too deep", (1..30).map { |i| "f:#{i}:in 'x'" }
