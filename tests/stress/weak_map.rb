# Eight threads read and write weak maps while the collector runs all the time.
#
# Usage: weak_map.rb [SECONDS]
#
# (CRuby 3.1.2 itself does not survive this one: its WeakMap can hand out collected objects.)
require_relative "_checks"
require_relative "_collector"

THREADS = 8
seconds = (ARGV[0] || 2).to_f
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

collector = Thread.new do
  while running.call
    GC.start
    Thread.pass
  end
end

# Entries whose keys and values are held stay; the others vanish whole or stay whole.
map = ObjectSpace::WeakMap.new
held = Array.new(500) { |i| "held #{i}" }
values = Array.new(500) { |i| [i] }
held.zip(values) { |key, value| map[key] = value }

workers = Array.new(THREADS) do |id|
  Thread.new do
    rounds = 0
    while running.call
      rounds += 1
      held.each_with_index do |key, i|
        next unless i % THREADS == id || rounds % 10 == 0

        check(map[key].equal?(values[i]), "a held entry vanished")
      end

      100.times do |i|
        key = "temporary #{id} #{i}"
        value = { number: i, text: "x" * i }
        map[key] = value
        found = map[key]
        check(found.equal?(value), "an entry vanished while its key and value are held")
      end

      if rounds % 20 == 0
        map.keys.each { |key| check(key.is_a?(String), "an invented key: #{key.inspect}") }
        map.values.each { |value| check(value.is_a?(Array) || value.is_a?(Hash), "an invented value") }
        check(map.size >= held.size, "held entries are missing: #{map.size}")
      end
    end
    rounds
  end
end

workers.each { |worker| check(worker.value > 0, "a thread did nothing") }
collector.join
held.each_with_index { |key, i| check(map.key?(key) && map[key].equal?(values[i]), "a held entry vanished") }
puts "ok"
