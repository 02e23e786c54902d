# What a program takes is counted before it is taken: programs that ask for far more than their VM may have end with an error
# before the process has grown, and the others go on.
if GC.stress
  puts "skipped: a collection at every allocation takes hours here"
  exit
end

LIMIT = 32 << 20

def memory(name) = File.read("/proc/self/status")[/#{name}:\s+(\d+)/, 1].to_i

# How much the process grows by a program in a VM with the limit, in KiB.
def growth_by(name, source, limit)
  GC.start
  # The peak counts from here.
  File.write("/proc/self/clear_refs", "5")
  before = memory("VmRSS")
  vm = RubyVM.new("bomb", source: source, memory_limit: limit).start
  begin
    puts "#{name}: #{vm.join(15) ? "ended without an error" : "goes on"}"
  rescue NoMemoryError, RubyVM::Error
    # As it should.
  end
  vm.kill
  memory("VmHWM") - before
end

# Runs each program in a VM with the limit, and says what was not as it should be.
def run_bombs(limit: LIMIT, **bombs)
  # The process may grow by what the VM may have, and as much again; in KiB.
  most = 2 * limit >> 10
  calls, answers = RubyVM::Channel.new, RubyVM::Channel.new
  other = RubyVM.new("other") { |channel, back| channel.each { |n| back << n + 1 } }
  other.start(calls, answers)
  RubyVM.new("first", memory_limit: LIMIT) { 1 }.start.join
  bombs.each_with_index do |(name, source), i|
    # What the allocator has yet to give back of the one before counts too, so what grows too far is tried again.
    grown = Array.new(3) do
      growth = growth_by(name, source, limit)
      break growth if growth <= most

      growth
    end
    puts "#{name}: #{grown} KiB" if Array === grown
    calls << i
    puts "#{name}: the others stand still" unless answers.recv(timeout: 10) == i + 1
  end
  calls.close
  other.join
  puts "done"
end
