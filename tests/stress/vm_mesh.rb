# VMs send to each other's channels, all to all; some collect at every allocation, some are killed at random moments, one
# runs out of memory and one out of time. Between those that live on every message arrives, once and in order; of one that
# ended, what it had sent before. Those that end end alone, with a clear error.
#
# Usage: vm_mesh.rb [SECONDS] [SEED]
require_relative "_checks"

seconds = (ARGV[0] || 2).to_f
seed = (ARGV[1] || 1).to_i
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds

NODE = <<~'RUBY'
  class Payload
    attr_reader :parts
    def initialize(parts) = @parts = parts
  end

  # Something to send, and how to see that it arrived whole.
  def payload(random)
    n = random.rand(600)
    case random.rand(7)
    when 0 then ["x" * n * 20, n * 20]
    when 1 then [Array.new(n) { |i| i }, n * (n - 1) / 2]
    when 2 then [{ n => [n.to_s, { deep: [2**70, n] }] }, n]
    when 3 then [Payload.new([n, "y" * n]), n]
    when 4 then [nil, 0]
    when 5 then [RubyVM::Channel.new.tap { |c| c << n; c << c }, n]
    else [[1.5, :sym, n..n + 1, /re/, 3r], n]
    end
  end

  def whole?(object, expected)
    seen =
      case object
      when String then object.size
      when Hash then object.dig(expected, 1, :deep, 1)
      when Payload then object.parts[1].size
      when nil then 0
      when RubyVM::Channel then object.recv
      when Array then object[0] == 1.5 ? object[2].first : object.sum
      end
    seen == expected
  end

  inbox, inboxes, reports, me, count, seed, kind = RubyVM::Channel.select(*RubyVM::ARGV)[1]
  random = Random.new(seed)
  GC.stress = true if kind == :stress
  got, sent, torn = [], [], 0
  note = lambda do |message|
    from, number, object, expected = message
    torn += 1 unless whole?(object, expected)
    got << [from, number]
  end
  count.times do |n|
    to = random.rand(inboxes.size)
    object, expected = payload(random)
    inboxes[to] << [me, n, object, expected]
    sent << [to, n]
    while random.rand(3) > 0 && (message = inbox.recv(timeout: random.rand(2) * 0.0005))
      note.call(message)
    end
    next if n < count / 2
    loop {} if kind == :endless
    hog = []
    loop { hog << "z" * 100_000 } if kind == :hog
  end
  reports << [:sent, me, sent]
  inbox.each { |message| note.call(message) }
  reports << [:got, me, got, torn]
RUBY

random = Random.new(seed)
rounds = 0
sizes = []
while rounds < 2 || Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
  rounds += 1
  kinds = %i[plain plain plain stress victim victim hog endless].shuffle(random: random).first(3 + random.rand(6))
  inboxes = kinds.map { RubyVM::Channel.new }
  reports = RubyVM::Channel.new
  vms = kinds.each_with_index.map do |kind, i|
    options = { hog: { memory_limit: 30_000_000 }, endless: { time_limit: 0.3 } }.fetch(kind, {})
    start = RubyVM::Channel.new
    start << [inboxes[i], inboxes, reports, i, kind == :stress ? 12 : 60, random.rand(1 << 30), kind]
    RubyVM.new("#{kind} #{i}", source: NODE, **options).start(start)
  end
  vms.zip(kinds).shuffle(random: random).each do |vm, kind|
    next unless kind == :victim
    sleep random.rand * 0.02
    vm.kill
  end
  living = kinds.each_index.select { |i| %i[plain stress].include?(kinds[i]) }
  sent = {}
  while sent.size < living.size
    what, who, list = reports.recv(timeout: 60)
    check(what, "nothing from #{living - sent.keys} after 60 s: #{vms.inspect}")
    sent[who] = list if living.include?(who)
  end
  vms.zip(kinds).each do |vm, kind|
    vm.join(60) if %i[hog endless].include?(kind)
  rescue NoMemoryError, RubyVM::Error
    # Looked at below.
  end
  inboxes.each(&:close)
  vms.zip(kinds).each do |vm, kind|
    error =
      begin
        vm.join
        nil
      rescue NoMemoryError, RubyVM::Error, RubyVM::Channel::ClosedError => e
        e
      end
    case kind
    when :hog then check(error.is_a?(NoMemoryError), "#{vm.inspect} ended with #{error.inspect}")
    when :endless then check(error&.message.to_s.include?("time limit"), "#{vm.inspect} ended with #{error.inspect}")
    when :victim then nil
    else check(error.nil?, "#{vm.inspect} ended with #{error.inspect}")
    end
  end
  got = {}
  while (report = reports.try_recv)
    what, who, list, torn = report
    next unless what == :got
    check(torn == 0, "#{torn} messages torn")
    got[who] = list
  end
  living.each do |to|
    check(got[to], "no report of #{to}")
    got[to].group_by(&:first).each do |from, list|
      numbers = list.map(&:last)
      check(numbers.each_cons(2).all? { |a, b| a < b }, "doubled or out of order from #{from}: #{numbers}")
      next unless living.include?(from)
      expected = sent[from].select { |target, _| target == to }.map(&:last)
      check(numbers == expected, "from #{from} to #{to}: sent #{expected}, got #{numbers}")
    end
    living.each do |from|
      expected = sent[from].count { |target, _| target == to }
      check(got[to].count { |f, _| f == from } == expected, "messages from #{from} to #{to} are lost")
    end
  end
  sizes << resident_kilobytes
end

# The first rounds fill the allocators' pools, and what the VM had that ran out of memory goes back after some rounds only.
if sizes.size > 20
  early, late = sizes[sizes.size / 4, sizes.size / 4].min, sizes.last(sizes.size / 4).min
  check(late < early * 1.5 + 30_000, "resident memory grew from #{early} to #{late} KiB in #{rounds} rounds")
end
puts "ok"
