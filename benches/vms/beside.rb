# Whether a VM is slower for having others in its process: the same work alone and beside COUNT VMs that wait for a message,
# in turn. `beside.rb COUNT ROUNDS` prints for each kind of work the median of the times alone and beside them, in milliseconds.

COUNT, ROUNDS = ARGV[0].to_i, ARGV[1].to_i

def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)

def mandelbrot(size)
  inside = 0
  size.times do |y|
    size.times do |x|
      cr, ci = 2.0 * x / size - 1.5, 2.0 * y / size - 1.0
      zr = zi = 0.0
      n = 0
      while n < 50 && zr * zr + zi * zi < 4.0
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        n += 1
      end
      inside += 1 if n == 50
    end
  end
  inside
end

TEXT = "the quick brown fox jumps over the lazy dog 1234567890 " * 200

WORK = {
  "fib" => -> { fib(25) },
  "mandelbrot" => -> { mandelbrot(100) },
  "regexp" => -> { 20.times { TEXT.scan(/\w+o\w*|\d{3}/).size } },
  "allocation" => -> { 100.times { Array.new(2000) { |i| [i, i.to_s] } } }
}

def milliseconds
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  yield
  (Process.clock_gettime(Process::CLOCK_MONOTONIC) - before) * 1e3
end

def beside
  ready, go = RubyVM::Channel.new, RubyVM::Channel.new
  vms = Array.new(COUNT) do
    RubyVM.new("waits") { |ready, go|
      ready.send(1)
      go.recv
    }.start(ready, go)
  end
  COUNT.times { ready.recv }
  yield
ensure
  COUNT.times { go.send(nil) }
  vms.each(&:join)
end

times = Hash.new { |hash, key| hash[key] = [[], []] }
measure = lambda do |which|
  WORK.each do |name, work|
    3.times { times[name][which] << milliseconds(&work) }
  end
end
WORK.each_value(&:call)
ROUNDS.times do
  measure.call(0)
  beside { measure.call(1) }
end
times.each do |name, (alone, beside)|
  median = ->(list) { list.sort[list.size / 2].round(3) }
  puts "#{name}: #{median.call(alone)} #{median.call(beside)}"
end
