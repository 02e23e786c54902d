# parallel: no, it measures the memory of the process
# Machine code, which stays, is left out of what is measured.
# args: --jit=off
# What VMs had goes back to the system when they have ended, but for a little: on their side, on that of the VM that made them, and
# what the C library keeps for threads. A child's handle alone keeps hardly anything.

def kilobytes = File.read("/proc/self/status")[/^VmRSS:\s+(\d+)/, 1].to_i

COUNT = 150

def park
  there, go = RubyVM::Channel.new, RubyVM::Channel.new
  vms = Array.new(COUNT) do
    RubyVM.new("waits") { |there, go|
      there.send("x" * 10)
      go.recv
    }.start(there, go)
  end
  COUNT.times { there.recv }
  COUNT.times { go.send(nil) }
  vms.each(&:join)
end

3.times { RubyVM.new("nothing") {}.start.join }
GC.start
before = kilobytes
growth = Array.new(5) do
  park
  GC.start
  (kilobytes - before) * 100 / before
end
# Under gc-stress blocks stay partly used, by what many collections left between two VMs: there it is only asked that the memory
# does not go on growing.
# A round may be measured while the system still takes back what ended last: most of them count.
fine = GC.stress ? growth.last <= growth[1] + 2 : growth.sort[3] <= 8
puts fine ? "fine" : "grown by #{growth} %"
# => fine

handles = Array.new(COUNT) { RubyVM.new("ends") { nil }.start }
handles.each(&:join)
GC.start
grown = (kilobytes - before) * 100 / before
puts grown <= (GC.stress ? growth.max + 10 : 10) ? "fine" : "grown by #{grown} % with handles"
# => fine
p handles.map(&:value).uniq
# => [nil]
