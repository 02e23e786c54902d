# What the hooks of a scheduler may answer, and what their failures lead to.
# parallel: no, it sets a constant of Object
require_relative "_selecting"
require "socket"
require "tmpdir"

def with(kind)
  Thread.new do
    Thread.current.report_on_exception = false
    scheduler = kind.new
    Fiber.set_scheduler(scheduler)
    Fiber.schedule { yield scheduler }
    scheduler
  end.value
end

# EAGAIN of io_read and io_write: the fiber waits, and the hook is called again.
class Trying < SelectingScheduler
  def io_read(io, buffer, length, offset)
    @calls[:io_read] += 1
    Fiber.blocking { buffer.read(io, length, offset) }
  end

  def io_write(io, buffer, length, offset)
    @calls[:io_write] += 1
    return -Errno::EAGAIN::Errno if @calls[:io_write] == 1
    Fiber.blocking { buffer.write(io, length, offset) }
  end
end
a, b = UNIXSocket.pair
got = nil
scheduler = with(Trying) do
  Fiber.schedule { got = a.read(8) }
  Fiber.schedule { b.write("all of it"); b.close }
end
p got, scheduler.calls[:io_write], scheduler.calls[:io_read] > 1 # => "all of i"
# => 2
# => true

# io_close closes the descriptor: threads that wait for it have left.
class Closing < SelectingScheduler
  def io_close(fd) = (@calls[:io_close] += 1; Fiber.blocking { IO.for_fd(fd).close }; true)
end
a, b = UNIXSocket.pair
c, d = UNIXSocket.pair
reader = Thread.new { a.read rescue p $! } # => #<IOError: stream closed in another thread>
waiter = Thread.new { c.wait_readable rescue p $! } # => #<IOError: stream closed in another thread>
Thread.pass until reader.stop? && waiter.stop?
scheduler = with(Closing) { a.close; reader.join; c.close }
waiter.join
b.close
d.close
p scheduler.calls[:io_close] # => 2

# process_wait has to answer a Process::Status.
class Faulty < SelectingScheduler
  def process_wait(pid, flags) = (Fiber.blocking { Process.wait(pid, flags) }; false)
end
with(Faulty) { system("true") } rescue p $! # => #<TypeError: wrong argument type false (expected Process::Status)>

# Whoever waits for a child asks it.
scheduler = with(SelectingScheduler) do
  p `echo hi`, $?.success?, IO.popen("echo there", &:read), Process.waitall, (Process.wait rescue $!.class) # => "hi\n"
# => true
# => "there\n"
# => []
# => Errno::ECHILD
end
p scheduler.calls[:process_wait] # => 4

# Addresses of another family are left out.
class Resolving < SelectingScheduler
  def address_resolve(host) = host == "none" ? nil : ["1.2.3.4", "1234::1"]
end
with(Resolving) do
  p Addrinfo.getaddrinfo("a.example", 80, :INET, :STREAM).map(&:ip_address), Addrinfo.getaddrinfo("a.example", 80, :INET6, :STREAM).map(&:ip_address) # => ["1.2.3.4"]
# => ["1234::1"]
  p Addrinfo.getaddrinfo("a.example", 80, nil, :STREAM).size, (Addrinfo.getaddrinfo("none", 80) rescue $!.class) # => 2
# => Socket::ResolutionError
end

# What unblock raises at the end of a thread is how that thread ends.
class Broken < SelectingScheduler
  def unblock(...) = (super; raise "broken")
end
with(Broken) do |scheduler|
  Thread.new { Thread.current.report_on_exception = false; sleep 0.001 until scheduler.calls[:block] > 0 }.join
rescue => e
  p e # => #<RuntimeError: broken>
  raise e
end rescue p $! # => #<RuntimeError: broken>

# A fiber waits for the file that another one of its thread is loading.
Dir.mktmpdir do |dir|
  File.write("#{dir}/slow.rb", "sleep 0.01\nmodule SlowlyLoaded; end\n$loaded = ($loaded || 0) + 1\n")
  Object.autoload(:SlowlyLoaded, "#{dir}/slow.rb")
  seen = []
  with(SelectingScheduler) do
    3.times { Fiber.schedule { seen << SlowlyLoaded } }
    Fiber.schedule { seen << require("#{dir}/slow.rb") }
  end
  p seen.count(SlowlyLoaded), seen.count(false), $loaded # => 3
# => 1
# => 1
  File.write("#{dir}/left.rb", "Fiber.yield\n")
  Fiber.new { require "#{dir}/left.rb" }.resume
  Fiber.new { require("#{dir}/left.rb") rescue p $! }.resume # => #<ThreadError: deadlock; lock already owned by another fiber belonging to the same thread>
end

f = Fiber.new(pool: nil) { 1 }
p f.resume, Fiber.current.backtrace(0) == Fiber.current.backtrace, Fiber.current.backtrace(1) == Fiber.current.backtrace.drop(1), Fiber.current.backtrace(9), Fiber.current.backtrace(0, 1).size # => 1
# => true
# => true
# => nil
# => 1

# Numbers that are no errors of the system.
class Odd < SelectingScheduler
  def initialize(answer)
    super()
    @answer = answer
  end
  def io_write(io, buffer, length, offset) = @answer
end
[-Errno::EPIPE::Errno, -4095, -4096, -5000, -2**31, -2**62, -2**63].each do |answer|
  a, b = UNIXSocket.pair
  with(Class.new(Odd) { define_method(:initialize) { super(answer) } }) do
    b.write("x")
    puts "written"
  rescue SystemCallError => e
    puts e.class
  end
end
# => Errno::EPIPE
# => SystemCallError
# => Errno::EIO
# => Errno::EIO
# => Errno::EIO
# => Errno::EIO
# => Errno::EIO
