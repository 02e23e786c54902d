# parallel: no, it starts processes that have little address space
# VMs and threads that cannot be made for want of address space are refused, or end with an error; the others go on.
require "rbconfig"

def limited(source)
  IO.popen(["sh", "-c", 'ulimit -v 12000000; exec "$0" -e "$1" 2>&1', RbConfig.ruby, source], &:read)
end

puts limited(<<'RUBY')
  channel = RubyVM::Channel.new
  vms = []
  begin
    2000.times { vms << RubyVM.new("waits") { |c| c.recv }.start(channel) }
  rescue ThreadError, NoMemoryError => e
    refused = e.class
  end
  vms.size.times { channel << 1 }
  ended = vms.map do |vm|
    vm.value
  rescue RubyVM::Error, NoMemoryError, ThreadError
    :error
  end
  p (refused ? true : ended.include?(:error)), ended.count(1) > 10
RUBY
# => true
# => true

puts limited(<<'RUBY')
  queue = Queue.new
  threads = []
  begin
    3000.times { threads << Thread.new { queue.pop } }
  rescue ThreadError, NoMemoryError => e
    refused = e.message
  end
  threads.size.times { queue << 1 }
  # Either the system refuses the stack or the thread.
  p refused.match?(/\Acan't create Thread: (Cannot allocate memory|Resource temporarily unavailable)/)
  p threads.sum(&:value) == threads.size, threads.size > 10
RUBY
# => true
# => true
# => true

# Where the system refuses memory in the middle of a program, that gets a NoMemoryError, whatever it has too much of, and goes on.
def short(setup, body)
  limited(<<~RUBY)
    size = File.read("/proc/self/status")[/VmSize:\\s+(\\d+)/, 1].to_i * 1024
    kept = #{setup}
    Process.setrlimit(Process::RLIMIT_AS, size + (80 << 20))
    begin
      loop { #{body} }
    rescue NoMemoryError => e
      message = e.message
    end
    count = kept.size
    kept.is_a?(Array) ? kept.clear : kept = nil
    GC.start
    # There is some again.
    p message, count > 1000, Array.new(10_000) { |i| [i.to_s * 100] }.size
  RUBY
end

ENV["MIMALLOC_ARENA_RESERVE"] = "32MiB"
ends = "\"failed to allocate memory\"\ntrue\n10000\n"
p short("[]", "kept << 'x' * 3000") == ends # => true
p short("[]", "kept << RubyVM::Channel.new") == ends # => true
p short("RubyVM::Channel.new", "kept << [1, 'a']") == ends # => true
p short("[]", "kept << Fiber.new { Fiber.yield }.tap(&:resume)") == ends # => true
p short("[]", "kept << /\#{kept.size}/") == ends # => true
p short("[]", "kept << Class.new { def x(n) = n + 1 }") == ends # => true
p short("[]", "kept << eval('proc { |n| n + 1 }')") == ends # => true
