# Four threads make, resume, transfer to, raise into, kill and drop fibers at random; each fiber counts, and what it
# hands over is checked. Resident memory stays flat from round to round.
#
# Usage: fibers.rb [SECONDS] [SEED] [ACTIONS A ROUND]
require_relative "_checks"
require_relative "_collector"

THREADS = 4
seconds = (ARGV[0] || 2).to_f
seed = (ARGV[1] || 1).to_i
ACTIONS = (ARGV[2] || 400).to_i
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

class Into < StandardError; end

# Suspends whoever compares, hashes, shows or calls it.
class Sly
  attr_accessor :last

  def initialize(worker) = @worker = worker
  def ==(other) = (@last = @worker.step(@last); other.equal?(self))
  def <=>(other) = (@last = @worker.step(@last); object_id <=> other.object_id)
  def hash = (@last = @worker.step(@last); 1)
  def eql?(other) = equal?(other)
  def inspect = (@last = @worker.step(@last); "sly")
  def to_s = (@last = @worker.step(@last); "sly")
  def method_missing(*) = @last = @worker.step(@last)
  def respond_to_missing?(name, _all) = name == :anything
end

# What a fiber does: counts the values it gets, keeps them, and is suspended in many places.
class Worker
  KINDS = 23

  attr_reader :count, :ensured, :fiber

  def initialize(kind)
    @kind = kind
    @count = 0
    @ensured = false
    @pad = "worker" * 3
    @big = "b" * 10_000
    @fiber = Fiber.new { |v| run(v) }
  end

  def run(value)
    Thread.current[:mine] = object_id
    value = step(value)
    case @kind
    when 0 then value = step(value) while true
    when 1 then loop { value = [value].map { |v| step(v) }.first }
    when 2 then loop { "xy".each_char { value = step(value) } }
    when 3 then deep(30, value)
    when 4 then loop { [2, 1].sort { |a, b| value = step(value); a <=> b } }
    when 5 then loop { {value => 1}.each { |k, _| value = step(k) } }
    when 6 then loop { value = public_send(:step, value) }
    when 7 then loop { value = nested(value) }
    when 8 then loop { "abc".gsub(/[ac]/) { value = step(value); "z" } }
    when 9 then loop { [3, 1, 2].sort_by { |n| value = step(value); n } }
    when 10 then loop { value = sly(value) { |one| [one, 1].include?(2) } }
    when 11 then loop { value = sly(value) { |one| {one => 1}[one] } }
    when 12 then loop { value = sly(value) { |one| [one, "\#{one}"].inspect } }
    when 13 then loop { value = sly(value) { |one| one.anything } }
    when 14 then loop { value = sly(value) { |one| [one, Sly.new(self)].max } }
    when 15 then loop { value = leaving(value) }
    when 16 then loop { 2.times.lazy.map { value = step(value) }.first(2) }
    when 17 then loop { value = catch(:out) { throw :out, step(value) } }
    when 18 then loop { Hash.new { |_, _| value = step(value) }[1] }
    when 19 then loop { value = eval("step(value)") }
    when 20 then loop { value = sly(value) { |one| format("%s%s", @big, one) } }
    when 21 then loop { value = sly(value) { |one| [@big, one].join } }
    else
      3.times { value = step(value) }
    end
    [:done, @count]
  ensure
    @ensured = true
  end

  def deep(depth, value)
    if depth == 0
      value = step(value) while true
    else
      local = [depth, @pad + depth.to_s]
      1.times { deep(depth - 1, value) }
      check(local == [depth, @pad + depth.to_s], "a local changed")
    end
  end

  # A comparison of its own; the value it was gone on with last.
  def sly(value)
    one = Sly.new(self)
    one.last = value
    yield one
    one.last
  end

  # Suspends in an ensure clause, on a way out.
  def leaving(value)
    [1].each do
      begin
        return value
      ensure
        value = step(value)
        return value
      end
    end
  end

  def nested(value)
    inner = Fiber.new { |v| v = Fiber.yield(v) while true }
    check(inner.resume(value) == value, "an inner fiber")
    step(value)
  end

  def step(value)
    @count += 1
    check(Thread.current[:mine] == object_id, "another fiber's variable")
    kept = [value, @pad]
    back = [@count, value]
    answer =
      begin
        @kind.even? ? Fiber.yield(back) : pass(back)
      rescue Into => e
        # Raised into: goes on, and says so.
        Fiber.yield([:rescued, e.message])
      end
    check(kept[0].equal?(value) && kept[1] == @pad, "values of a fiber changed")
    answer
  end

  def pass(back) = Fiber.yield(back)
end

def act(random, workers, log)
  if workers.size < 40 || random.rand(4) == 0
    workers << Worker.new(random.rand(Worker::KINDS))
  end
  at = random.rand(workers.size)
  worker = workers[at]
  case random.rand(20)
  when 0
    workers.delete_at(at)
    log[:dropped] += 1
  when 1
    worker.fiber.kill
    check(!worker.fiber.alive?, "alive after kill")
    check(worker.ensured, "ensure did not run") if worker.count > 0
    workers.delete_at(at)
    log[:killed] += 1
  when 2
    if worker.count > 0 && worker.fiber.alive?
      check(worker.fiber.raise(Into, "n#{at}") == [:rescued, "n#{at}"], "what was raised")
      count = worker.count
      got = worker.fiber.resume("again")
      check(got == [count + 1, "again"] || got == [:done, count], "after a rescue: #{got.inspect}")
      workers.delete_at(at) unless worker.fiber.alive?
      log[:raised] += 1
    end
  when 3
    # Round a ring of fibers by transfer, and back.
    main = Fiber.current
    ring = nil
    ring = Array.new(5) { |i| Fiber.new { |v| (ring[i + 1] || main).transfer(v + 1) } }
    check(ring[0].transfer(0) == 5, "a ring")
    log[:transferred] += 1
  when 5
    # A scheduler's fibers on a thread of their own: sleepers, a queue, a pipe, and some that are killed while they wait.
    Thread.new do
      Fiber.set_scheduler(Fiber::Scheduler::Default.new)
      queue = Queue.new
      sum = 0
      reader, writer = IO.pipe
      6.times { |i| Fiber.schedule { sleep 0.0001 * i; queue << i } }
      3.times { Fiber.schedule { 2.times { one = queue.pop; sum += one } } }
      Fiber.schedule { check(reader.gets == "line\n", "a line"); reader.close }
      Fiber.schedule { writer.write("line\n"); writer.close }
      doomed = Fiber.schedule { sleep }
      Fiber.schedule { sleep 0.0002; doomed.kill }
      Fiber.scheduler.run
      check(sum == 15, "a queue between fibers: #{sum}")
    end.join
    log[:scheduled] += 1
  when 6
    # Ends with fibers suspended, and one that is dropped while a native method of it is open.
    Thread.new { Array.new(3) { |i| Worker.new(i + 8).tap { |w| w.fiber.resume(i) } }.size }.join
    log[:left] += 1
  when 4
    e = Array.new(5) { |i| i * i }.each_with_index
    check(e.next == [0, 0] && e.peek == [1, 1] && e.next == [1, 1], "an enumerator")
    log[:enumerated] += 1
  else
    value = random.rand(3) == 0 ? +"value #{at}" : random.rand(1000)
    count = worker.count
    got = worker.fiber.resume(value)
    if worker.fiber.alive?
      check(got == [count + 1, value], "#{got.inspect} instead of #{[count + 1, value].inspect}")
    else
      check(got == [:done, count], "the end: #{got.inspect}")
      workers.delete_at(at)
    end
    log[:resumed] += 1
  end
end

round = 0
sizes = []
while running.call
  round += 1
  totals = Array.new(THREADS) do |id|
    Thread.new do
      random = Random.new(seed * 1000 + round * 10 + id)
      log = Hash.new(0)
      workers = []
      ACTIONS.times do
        act(random, workers, log)
        break unless running.call
      end
      # Fibers of a thread that ends are left as they are.
      [log, workers.sample(random: random)&.fiber]
    end
  end.map(&:value)
  totals.each do |log, fiber|
    check(log.values.sum > 0 || !running.call, "nothing happened")
    next unless fiber&.alive?
    begin
      fiber.resume
      check(false, "resumed across threads")
    rescue FiberError => e
      check(e.message == "fiber called across threads", e.message)
    end
  end
  totals = nil
  if round % 10 == 0
    GC.start
    sizes << resident_kilobytes
  end
end
check_flat(sizes)
warn "#{round} rounds, RSS #{sizes.inspect} KiB" if $VERBOSE
puts "ok"
