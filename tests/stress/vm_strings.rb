# Strings of all sizes go from VM to VM. Two threads of each VM send what they share at once, keep what they get, change it, cut
# it, copy it and send it on; each String says what it holds. Others change Strings while those are sent: whatever arrives of
# them was in them. None is lost, and memory stays flat.
#
# Usage: vm_strings.rb [SECONDS] [SEED]
require_relative "_checks"

seconds = (ARGV[0] || 2).to_f
seed = (ARGV[1] || 1).to_i
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds

NODE = <<~'RUBY'
  inbox, inboxes, reports, seed, count, stress = RubyVM::Channel.select(*RubyVM::ARGV)[1]
  GC.stress = true if stress

  SIZES = [0, 1, 30, 34, 35, 46, 200, 244, 245, 256, 1000, 4084, 4085, 5000, 20_000]

  # Its letter, how many of them follow, and they.
  def made(letter, size) = format("%s%010d:", letter, size) << letter * size

  # Does a String hold what it says? Those that are changed while they are sent hold nothing but their letter.
  def whole?(string)
    return string.delete("~").empty? if string.start_with?("~") || string.empty?
    size = string[1, 10].to_i
    string.size == size + 12 && string.count(string[0]) == size + 1
  end

  shared = Array.new(8) { |i| made((97 + i).chr, SIZES.sample) }
  shared[0].freeze
  raced = Array.new(3) { |i| +"~" * SIZES[-1 - i] }
  torn = []
  received = Array.new(2, 0)

  threads = Array.new(2) do |id|
    Thread.new do
      random = Random.new(seed * 10 + id)
      mine = []
      take = lambda do |string|
        torn << string[0, 80] unless whole?(string)
        received[id] += 1
        mine[random.rand(6)] = string
      end
      count.times do
        string =
          case random.rand(9)
          when 0, 1 then shared.sample(random: random)
          when 2 then raced.sample(random: random)
          when 3 then made("m", SIZES.sample(random: random))
          when 4 then shared.sample(random: random).dup
          when 5 then mine.compact.sample(random: random)
          when 6
            # A part that is a whole of its own: the letters end both.
            from = mine.compact.sample(random: random)
            from && from.size > 400 && from.match?(/\A[a-z]/) ? from[0] + format("%010d:", 300) + from[-300..] : nil
          when 7
            # Changed in place, if it is this thread's alone.
            own = made("o", SIZES.sample(random: random))
            own = own.dup if random.rand(2) == 0
            own << "oo"
            own[1, 10] = format("%010d", own.size - 12)
            own
          else
            race = raced.sample(random: random)
            random.rand(2) == 0 ? race << "~" * random.rand(500) : race.replace("~" * random.rand(6000))
            random.rand(3) == 0 ? race.clear : race.slice!(0, random.rand(300))
            nil
          end
        string ||= +"z0000000001:z"
        inboxes[random.rand(inboxes.size)] << string
        while random.rand(3) > 0 && (got = inbox.recv(timeout: random.rand(2) * 0.0002))
          take.call(got)
        end
      end
      reports << [:sent, count]
      inbox.each { |got| take.call(got) }
    end
  end
  threads.each(&:join)
  reports << [:got, received.sum, torn]
RUBY

random = Random.new(seed)
rounds = 0
sizes = []
while rounds < 2 || Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
  rounds += 1
  inboxes = Array.new(2 + random.rand(2)) { RubyVM::Channel.new }
  reports = RubyVM::Channel.new
  vms = inboxes.each_with_index.map do |inbox, i|
    start = RubyVM::Channel.new
    stress = random.rand(3) == 0
    start << [inbox, inboxes, reports, random.rand(1 << 20), stress ? 20 : 150, stress]
    RubyVM.new("node #{i}", source: NODE).start(start)
  end
  sent = 0
  (2 * vms.size).times do
    what, count = reports.recv(timeout: 60)
    check(what == :sent, "#{what.inspect} after #{sent} Strings: #{vms.inspect}")
    sent += count
  end
  inboxes.each(&:close)
  got = 0
  vms.each do
    what, count, torn = reports.recv(timeout: 60)
    check(what == :got, "#{what.inspect} after all were sent: #{vms.inspect}")
    check(torn.empty?, "torn: #{torn.inspect}")
    got += count
  end
  vms.each(&:join)
  check(got == sent, "#{got} of #{sent} arrived")
  if rounds % 10 == 0
    GC.start
    sizes << resident_kilobytes
  end
end
check_flat(sizes)
warn "#{rounds} rounds, RSS #{sizes.inspect} KiB" if $VERBOSE
puts "ok"
