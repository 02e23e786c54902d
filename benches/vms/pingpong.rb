# A message goes to another VM and comes back: by RubyVM::Channel where there is one, else to a forked process and back
# through pipes, marshalled. Prints the median and mean of a round trip and its CPU time, in microseconds.
#
# Usage: pingpong.rb KIND SIZE COUNT [HOLD]
#
# KIND: int, float, nil, symbol, string, fresh_string, array, object, bignum, json. The object that comes back is the one that
# goes next, but for fresh_string, where each one is new (made before the clock starts). HOLD: both sides are busy for so many
# microseconds before they answer, so that the other one has stopped looking for a message and sleeps; that time is taken off.
kind, size, count, hold = ARGV[0], ARGV[1].to_i, ARGV[2].to_i, ARGV[3].to_f

class Point
  def initialize(x, y)
    @x = x
    @y = y
  end
end

def document(bytes)
  record = lambda do |n|
    { "id" => n, "name" => "name #{n}", "tags" => ["red", "green", "blue"], "score" => n * 1.5, "active" => n.even?,
      "address" => { "street" => "#{n} Main Street", "city" => "Town #{n % 50}", "zip" => 10_000 + n } }
  end
  # A record is about 150 bytes of JSON.
  { "records" => Array.new(bytes / 150) { |n| record.call(n) } }
end

make = {
  "int" => -> { 1 }, "float" => -> { 1.1 }, "nil" => -> { nil }, "symbol" => -> { :sym },
  "string" => -> { "x" * size }, "fresh_string" => -> { "x" * size }, "array" => -> { Array.new(size) { |i| i } },
  "object" => -> { Point.new(1, 2) }, "bignum" => -> { 2**100 }, "json" => -> { document(size) }
}.fetch(kind)
fresh = kind == "fresh_string"

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

def busy(microseconds)
  return if microseconds == 0
  limit = now + microseconds / 1e6
  nil while now < limit
end

def cpu
  times = Process.times
  times.utime + times.stime + times.cutime + times.cstime
end

WARM = [count / 10, 3].max
total = count + WARM
objects = fresh ? Array.new(total) { make.call } : nil
object = fresh ? nil : make.call

if defined?(RubyVM::Channel)
  there, back = RubyVM::Channel.new, RubyVM::Channel.new
  vm = RubyVM.new("echo") do |from, to, count, hold|
    # A class of the same name, for the objects.
    class Point; end
    count.times do
      message = from.recv
      if hold > 0
        limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + hold / 1e6
        nil while Process.clock_gettime(Process::CLOCK_MONOTONIC) < limit
      end
      to.send(message)
    end
  end
  vm.start(there, back, total, hold)
  exchange = lambda do |message|
    there.send(message)
    back.recv
  end
  finish = -> { vm.join }
else
  far_in, near_out = IO.pipe
  near_in, far_out = IO.pipe
  [far_in, near_out, near_in, far_out].each(&:binmode)
  pid = fork do
    near_out.close
    near_in.close
    total.times do
      message = Marshal.load(far_in)
      busy(hold)
      Marshal.dump(message, far_out)
      far_out.flush
    end
    exit!(0)
  end
  exchange = lambda do |message|
    Marshal.dump(message, near_out)
    near_out.flush
    Marshal.load(near_in)
  end
  finish = -> { Process.wait(pid) }
end

times = []
started = cpu_before = nil
total.times do |n|
  if n == WARM
    cpu_before = cpu
    started = now
  end
  message = fresh ? objects[n] : object
  objects[n] = nil if fresh
  before = now
  answer = exchange.call(message)
  times << now - before if n >= WARM
  object = answer unless fresh
  busy(hold)
end
mean = (now - started) / count
finish.call
spent = (cpu - cpu_before) / count
held = hold / 1e6
times.sort!
micro = ->(seconds) { format("%.2f", seconds * 1e6) }
puts "median: #{micro.call(times[count / 2] - held)}"
puts "mean: #{micro.call(mean - 2 * held)}"
puts "cpu: #{micro.call(spent - 2 * held)}"
