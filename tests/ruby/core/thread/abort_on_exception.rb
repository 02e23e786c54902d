# A thread with abort_on_exception ends the program by its exception.
t = Thread.new do
  Thread.current.report_on_exception = false
  Thread.current.abort_on_exception = true
  raise ArgumentError, "taken along"
end
sleep
# error: ArgumentError: taken along
# parallel: no, it ends the main thread
