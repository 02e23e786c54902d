# Four threads make, resume, transfer to, raise into, kill and drop fibers at random; each fiber counts, and what it
# hands over is checked. Resident memory stays flat from round to round.
#
# Usage: fibers.rb [SECONDS] [SEED]
require_relative "_collector"

THREADS = 4
seconds = (ARGV[0] || 2).to_f
seed = (ARGV[1] || 1).to_i
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

def check(condition, message)
  raise message unless condition
end

class Into < StandardError; end

# What a fiber does: counts the values it gets, keeps them, and is suspended in many places.
class Worker
  attr_reader :count, :ensured, :fiber

  def initialize(kind)
    @kind = kind
    @count = 0
    @ensured = false
    @pad = "worker" * 3
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
    workers << Worker.new(random.rand(9))
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

def rss = File.read("/proc/self/status")[/VmRSS:\s*(\d+)/, 1].to_i

round = 0
sizes = []
while running.call
  round += 1
  totals = Array.new(THREADS) do |id|
    Thread.new do
      random = Random.new(seed * 1000 + round * 10 + id)
      log = Hash.new(0)
      workers = []
      400.times do
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
    sizes << rss
  end
end
# The first measurement is after ten rounds; later ones may differ by what the heap's blocks hold, not by a trend.
if sizes.size >= 4
  check(sizes.last < sizes[1] * 1.5 + 20_000, "memory grows: #{sizes.inspect} KiB")
end
warn "#{round} rounds, RSS #{sizes.inspect} KiB" if $VERBOSE
puts "ok"
