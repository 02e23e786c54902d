# Ractors send each other Strings and Arrays, copied and moved, while others come and go, threads that receive are interrupted, and
# the collector runs: every message arrives once, as it was.
#
# Usage: ractors.rb [SECONDS]
Warning[:experimental] = false
require_relative "_checks"

deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + (ARGV[0] || 2).to_f

def text(n) = "#{n}:" + "x" * (n % 7 * 40 + (n % 50 == 0 ? 5000 : 0))

def worker(results)
  Ractor.new(results) do |results|
    sum = 0
    while (message = Ractor.receive)
      case message
      when String
        n = message.to_i
        message << "!"
        sum += n if message == "#{n}:" + "x" * (n % 7 * 40 + (n % 50 == 0 ? 5000 : 0)) + "!"
      when Array then sum += message.sum { |v| v.is_a?(String) ? v.to_i : v }
      end
    end
    results << sum
    sum
  end
end

round = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
  round += 1
  results = Ractor::Port.new
  workers = Array.new(3) { worker(results) }
  sent = 0
  300.times do |n|
    to = workers[n % 3]
    case n % 4
    when 0 then to << text(n)
    when 1 then to.send(text(n), move: true)
    when 2 then to.send([n, text(n)], move: n % 8 == 2)
    else to << [n, n]
    end
    sent += n % 4 < 2 ? n : 2 * n
  end
  workers.each { |to| to << nil }
  got = 3.times.sum { results.receive }
  check(got == sent && workers.sum(&:value) == sent, "sums")
  GC.start if round % 5 == 0

  # A receiver is interrupted while messages come.
  port = Ractor::Port.new
  sender = Ractor.new(port) { |port| 200.times { |i| port << i } }
  taken = []
  begun = Queue.new
  thread = Thread.new do
    begun << true
    loop { taken << port.receive }
  rescue IOError
    :interrupted
  end
  begun.pop
  Thread.pass if round.odd?
  thread.raise(IOError)
  check(thread.value == :interrupted, "interrupted")
  sender.join
  while (message = port.receive(timeout: 0))
    taken << message
  end
  check(taken == taken.uniq && taken.size >= 199, "none twice")
  port.close

  short = Array.new(10) { |i| Ractor.new(i) { |i| i } }
  check(short.map(&:value) == (0...10).to_a, "values")
end
puts "ok"
