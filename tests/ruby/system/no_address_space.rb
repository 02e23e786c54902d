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
