# args: --race-report
# parallel: no, the report is the whole VM's
# A channel of VMs between threads.
channel = RubyVM::Channel.new
x = 0
thread = Thread.new { x = 5; channel.send(:done) }
channel.recv
p x # => 5
thread.join
