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
# A status can be dumped, in CRuby's form.
copy = Marshal.load(Marshal.dump(status))
p copy == status, copy.pid == status.pid, copy.exitstatus, copy.instance_variables
# => true
# => true
# => 3
# => []
p Marshal.load("\x04\bo:\x14Process::Status\a:\vstatusi\x02\x00\x03:\bpidi\x02\x11\x14") # => #<Process::Status: pid 5137 exit 3>
