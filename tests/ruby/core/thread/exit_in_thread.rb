# `exit` in a thread ends the program.
at_exit { puts "at exit" }
Thread.new { exit 3 }
sleep
puts "not here"
# => at exit
# exit: 3
# parallel: no, it ends the process
