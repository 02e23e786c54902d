# warn writes to stderr; -w makes $VERBOSE true.
# args: -w
p $VERBOSE # => true
warn "careful", "twice"
# stderr: careful
# stderr: twice
warn
$VERBOSE = nil
warn "silenced"
puts "done" # => done
# parallel: no, $VERBOSE belongs to the process
