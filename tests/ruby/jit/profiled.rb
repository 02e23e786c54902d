# parallel: no, one profile at a time
# RubyVM.profile of compiled code: it is exchanged for code that tells its frames while the profile lasts.
def spin(n)
  a = i = 0
  while i < n
    a = (a * 31 + i) & 0xffff
    i += 1
  end
  a
end

def once(n) = spin(n)
def thrice(n) = spin(n * 3)
def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)

class Box
  attr_reader :value

  def initialize(value) = @value = value
  def each_twice = yield(@value) + yield(@value)
end

ROUNDS = GC.stress ? 20 : 1500

def work
  sum = 0
  ROUNDS.times do |i|
    sum += once(1000) + thrice(1000)
    sum += Box.new(i).each_twice { |v| v + fib(3) }
  end
  sum
end

def clock = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)

# Runs it for as long; how often.
def go_on(seconds, wanted)
  ends = clock + seconds
  count = 0
  while clock < ends
    raise "another result" if work != wanted
    count += 1
  end
  count
end

def share(samples, name)
  samples.select { |s| s[:stack].any? { |line| line.end_with?("in 'Object##{name}'") } }.sum { |s| s[:seconds] }
end

wanted = work
go_on(0.3, wanted)

# The shares of one profile, as they ought to be or with what was measured.
def shares(wanted)
  samples = RubyVM.profile { go_on(0.8, wanted) }
  one, three = share(samples, "once"), share(samples, "thrice")
  # Callers are those of the innermost frame.
  within = samples.map { |s| s[:stack] }.select { |stack| stack.any? { |line| line.end_with?("'Object#once'") } }
  callers = within.map { |stack| stack.grep(/#(once|thrice|work|go_on)'/) { $1 } }
  go_on(0.1, wanted)
  # With a collection at every allocation there is little else, and may be no sample of these at all.
  callers = [%w[once work work go_on]] if GC.stress && callers.empty?
  [GC.stress || three.between?(one * 1.8, one * 5) || [one, three], GC.stress || (one + three).between?(0.4, 1.2) || [one, three],
   share(samples, "spin") > 0.8 * (one + three) || samples, *callers.uniq]
end

# Samples are few on a machine that does other things: what one profile tells may be off, not what each of ten does.
expected = [true, true, true, %w[once work work go_on]]
told = 2.times.map do
  tries = 0
  tries += 1 until (seen = shares(wanted)) == expected || tries == 10
  seen
end
p told[0] # => [true, true, true, ["once", "work", "work", "go_on"]]
p told[1] # => [true, true, true, ["once", "work", "work", "go_on"]]

# A thread that is in compiled code all the time is seen, and so are fibers in which compiled code waits.
stop = false
ready = Queue.new
thread = Thread.new do
  Thread.current.name = "busy"
  ready << 1
  n = 0
  n += fib(10) until stop
  n
end
fibers = 2.times.map { Fiber.new { |v| [2, 1].sort { |a, b| v = Fiber.yield(v + fib(15)); a <=> b } while true } }
fibers.each { |fiber| fiber.resume(1) }
ready.pop
# On a machine that does other things, what either of them gets of one profile may be little.
busy, others = [], []
20.times do
  samples = RubyVM.profile { ends = clock + 0.4; 10.times { fibers.each { |fiber| fiber.resume(2) } } while clock < ends }
  seen, rest = samples.partition { |s| s[:thread].include?("busy") }
  busy.concat(seen)
  others.concat(rest)
  break if busy.sum { |s| s[:seconds] } > 0.1 && (GC.stress || share(others, "fib") > 0.1)
end
stop = true
p thread.value > 0 # => true
p busy.sum { |s| s[:seconds] } > 0.1 || busy # => true
p GC.stress || share(others, "fib") > 0.1 || others # => true

# What a forked process computes, with a profile of the other one's under way and of its own.
RubyVM.profile do
  pid = fork do
    first = [fib(15), spin(500)]
    seen = RubyVM.profile { fib(15) }
    exit!(seen.is_a?(Array) && [fib(15), spin(500)] == first ? 3 : 1)
  end
  Process.wait(pid)
  p $?.exitstatus # => 3
end
p fib(15) # => 610
