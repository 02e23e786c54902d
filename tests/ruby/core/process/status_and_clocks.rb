# A Process::Status has no variables of its own; the clock of atomic time; ids that are the same are not exchanged.
system("exit 3")
status = $?
p status.instance_variables, status.exitstatus, status.to_i, status.pid > 0
# => []
# => 3
# => 768
# => true
p Process::Status.wait(-1).pid # => -1
p Process::CLOCK_TAI # => 11
p Process.clock_gettime(Process::CLOCK_TAI).class, Process.clock_getres(Process::CLOCK_TAI) > 0
# => Float
# => true
p (Process.clock_gettime(Process::CLOCK_TAI) - Process.clock_gettime(Process::CLOCK_REALTIME)).abs < 100 # => true
[Process::UID, Process::GID].each do |ids|
  begin
    ids.switch
  rescue Errno::EPERM => e
    puts e.message
  end
end
# => Operation not permitted
# => Operation not permitted
