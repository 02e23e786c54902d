# args: --race-report
# parallel: no, the report is the whole VM's
# An exception that is raised into a thread comes behind what its sender did.
x = nil
ready = Queue.new
thread = Thread.new do
  ready << 1
  sleep
rescue IOError
  x
end
ready.pop
x = 7
thread.raise IOError, "x"
p thread.value # => 7
