# Making VMs that run nothing, and keeping many that wait: `start.rb create COUNT`, `start.rb park COUNT ROUNDS`.
# Under CRuby a child process made by `fork` stands for a VM; what it has for itself alone counts as its memory.

KIND, COUNT, ROUNDS = ARGV[0], ARGV[1].to_i, (ARGV[2] || 1).to_i
VMS = defined?(RubyVM::Channel)

def kilobytes(file, name) = File.read(file)[/^#{name}:\s+(\d+)/, 1].to_i

def clock(id) = Process.clock_gettime(id)

def cpu
  Process.times.sum
end

def create
  if VMS
    RubyVM.new("nothing") {}.start.join
  else
    Process.wait(fork { exit! })
  end
end

# Calls its block when COUNT children wait, with how many kilobytes they have; the children have ended when it returns.
def park
  if VMS
    before = kilobytes("/proc/self/status", "VmRSS")
    there, go = RubyVM::Channel.new, RubyVM::Channel.new
    vms = Array.new(COUNT) do
      RubyVM.new("waits") { |there, go|
        there.send(1)
        go.recv
      }.start(there, go)
    end
    COUNT.times { there.recv }
    sleep 0.2
    yield kilobytes("/proc/self/status", "VmRSS") - before
    COUNT.times { go.send(nil) }
    vms.each(&:join)
  else
    there, says = IO.pipe
    waits, go = IO.pipe
    pids = Array.new(COUNT) do
      fork do
        says.write("1")
        waits.read(1)
        exit!
      end
    end
    there.read(COUNT)
    yield pids.sum { |pid| kilobytes("/proc/#{pid}/smaps_rollup", "Private_Dirty") }
    go.write("1" * COUNT)
    pids.each { |pid| Process.wait(pid) }
    [there, says, waits, go].each(&:close)
  end
end

case KIND
when "create"
  3.times { create }
  cpu_before = cpu
  before = clock(Process::CLOCK_MONOTONIC)
  COUNT.times { create }
  puts "each: #{(clock(Process::CLOCK_MONOTONIC) - before) / COUNT * 1e6}"
  puts "cpu: #{(cpu - cpu_before) / COUNT * 1e6}"
when "park"
  3.times { create }
  GC.start
  before = kilobytes("/proc/self/status", "VmRSS")
  most = 0
  after = Array.new(ROUNDS) do
    park { |size| most = [most, size].max }
    GC.start
    sleep 0.1
    kilobytes("/proc/self/status", "VmRSS")
  end
  puts "each: #{most.to_f / COUNT}"
  puts "left: #{100.0 * after.last / before - 100}"
  puts "grown: #{100.0 * after.last / after.first - 100}"
else
  abort "start.rb create COUNT | park COUNT ROUNDS"
end
