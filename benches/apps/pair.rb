# Runs a program several times at once: in VMs of one process, or in processes of their own. What it prints is thrown away.
#
# Usage: pair.rb vms|processes COUNT PROGRAM
require "rbconfig"

mode, count, program = ARGV
abort "usage: pair.rb vms|processes COUNT PROGRAM" unless %w[vms processes].include?(mode) && program
null = File.open(File::NULL, "w")
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
if mode == "vms"
  Array.new(count.to_i) { |n| RubyVM.new("run #{n}", program, stdout: null).start }.each(&:join)
else
  pids = Array.new(count.to_i) { spawn(RbConfig.ruby, program, out: null) }
  pids.each { |pid| abort "#{program} failed" unless Process.wait2(pid)[1].success? }
end
puts format("wall: %.6f", Process.clock_gettime(Process::CLOCK_MONOTONIC) - started)
