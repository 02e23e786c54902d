# Threads are raised into, killed and woken while they compute, sleep, lock, wait, allocate and change what others change too.
#
# Usage: interrupts.rb [SECONDS]
require_relative "_checks"
require_relative "_collector"

seconds = (ARGV[0] || 2).to_f
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

class Poke < StandardError; end

$VERBOSE = nil
Thread.report_on_exception = false
lock = Mutex.new
never = Queue.new
condition = ConditionVariable.new
idle_lock = Mutex.new

# What several threads are ended in the middle of changing.
LIST = []
TABLE = {}
TEXT = +""
THING = Object.new
KLASS = Class.new { def call = 1 }

JOBS = {
  loop: -> { i = 0; loop { i += 1 } },
  allocate: -> { loop { Array.new(10) { |i| "text #{i}" } } },
  sleep: -> { sleep },
  short_sleep: -> { loop { sleep 0.0001 } },
  queue: -> { never.pop },
  condition: -> { idle_lock.synchronize { condition.wait(idle_lock) } },
  lock: -> { loop { lock.synchronize { Thread.pass } } },
  nested: lambda {
    inner = Thread.new { sleep }
    begin
      inner.join
    ensure
      inner.kill
    end
  },
  regexp: -> { loop { "ab" * 50 =~ /(a|b)*c/ } },
  sort: -> { loop { Array.new(200) { |i| (i * 7919) % 211 }.sort! } },
  hash: -> { table = {}; i = 0; loop { table[(i += 1) % 1000] = i } },
  concat: -> { loop { text = +""; 100.times { text << "abc" } } },
  shared_list: -> { i = 0; loop { LIST.push(1).concat([1, 1]); LIST[(i += 1) % 100] = 1; LIST.pop; LIST.shift; LIST.sort! { 0 } if i % 50 == 0 } },
  shared_table: -> { i = 0; loop { TABLE[(i += 1) % 300] = i; TABLE.delete(i % 200); TABLE.rehash if i % 64 == 0 } },
  shared_text: lambda {
    loop do
      TEXT << "abc"
      TEXT.gsub!(/b+/, "b")
      TEXT.setbyte(0, 97) if TEXT.size > 10
      TEXT.replace("c") if TEXT.size > 500
    rescue IndexError, RuntimeError
      # Another thread changed it in between: legal.
    end
  },
  shared_variables: lambda {
    loop do
      THING.instance_variable_set(:@a, 1)
      THING.instance_variable_set(:"@v#{Thread.current.object_id % 7}", 1)
      THING.remove_instance_variable(:@a)
    rescue NameError
      # Another thread removed it.
    end
  },
  shared_methods: lambda {
    loop do
      KLASS.define_method(:call) { 1 }
      KLASS.new.call
      KLASS.const_set(:"C#{Thread.current.object_id % 7}", 1)
      KLASS.send(:remove_method, :call)
    rescue NameError
      # Another thread removed it.
    end
  },
  io: lambda {
    reader, writer = IO.pipe
    begin
      reader.read(1)
    ensure
      [reader, writer].each(&:close)
    end
  }
}.freeze
JOBS_LIST = JOBS.to_a.freeze

# Runs a job until it is ended from outside; the ensure clause must run exactly once.
def start(job, counts)
  started = Queue.new
  thread = Thread.new do
    started << true
    job.call
    :finished
  rescue Poke => e
    e.message
  ensure
    counts << :ensured
  end
  started.pop
  thread
end

rounds = 0
while running.call
  counts = Queue.new
  jobs = Array.new(8) { |i| JOBS_LIST[(rounds * 8 + i) % JOBS_LIST.size] }
  threads = jobs.map { |_, job| start(job, counts) }
  sleep 0.002

  threads.each_with_index do |thread, i|
    case (rounds + i) % 2
    when 0 then thread.raise(Poke, "poke #{i}")
    else thread.kill
    end
  end

  threads.each_with_index do |thread, i|
    name = jobs[i][0]
    check(thread.join(20), "#{name} did not end")
    check(!thread.alive?, "#{name} is alive after join")
    if (rounds + i) % 2 == 0
      # A poke that comes before the first line of the body ends the thread with the exception.
      check(thread.value == "poke #{i}", "#{name} returned #{thread.value.inspect}")
    else
      check(thread.value.nil?, "a killed #{name} returned #{thread.value.inspect}")
      check(thread.status == false, "a killed #{name} has status #{thread.status.inspect}")
    end
  rescue Poke
    check((rounds + i) % 2 == 0, "#{name} was killed and raised")
  end
  check(counts.size == threads.size, "ensure clauses ran #{counts.size} times for #{threads.size} threads")
  check(!lock.locked?, "a dead thread holds the lock")

  # What they were changing is whole, and nobody has left it locked.
  LIST.push(1)
  check(LIST.dup.compact.all?(1), "an invented element")
  LIST.clear if LIST.size > 10_000
  TABLE[-1] = true
  check(TABLE.delete(-1) && TABLE.keys.all?(Integer), "the table is damaged")
  check(TEXT.dup.match?(/\A[abc]*\z/), "an invented character: #{TEXT.inspect}")
  THING.instance_variable_set(:@b, 2)
  check(THING.remove_instance_variable(:@b) == 2, "a variable was lost")
  KLASS.define_method(:call) { 3 }
  check(KLASS.new.call == 3, "a method was lost")

  # The lock and the queue still work for those that were not disturbed.
  box = 0
  Array.new(8) { Thread.new { 50.times { lock.synchronize { box += 1 } } } }.each(&:join)
  check(box == 400, "the lock let two in: #{box}")

  # wakeup and run end a sleep.
  sleeper = Thread.new { sleep; :awake }
  Thread.pass until sleeper.stop?
  sleeper.wakeup
  check(sleeper.join(20) && sleeper.value == :awake, "wakeup did not wake")

  GC.start if rounds % 5 == 0
  rounds += 1
end

check(rounds > 0, "no round was run")
puts "ok"
