# Eight threads change the same arrays: nothing that was put in is lost, nothing appears twice.
#
# Usage: array_ops.rb [SECONDS]
require_relative "_checks"
require_relative "_collector"

THREADS = 8
seconds = (ARGV[0] || 2).to_f
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

def in_threads
  Array.new(THREADS) { |id| Thread.new { yield id } }.map(&:value)
end

rounds = 0
while running.call
  rounds += 1
  count = 2000

  # Appends by <<, push and concat.
  list = []
  in_threads do |id|
    count.times do |i|
      value = id * count + i
      case i % 3
      when 0 then list << value
      when 1 then list.push(value)
      else list.concat([value])
      end
    end
  end
  check(list.size == THREADS * count, "lost appends: #{list.size}")
  check(list.sort == (0...THREADS * count).to_a, "appended values differ")

  # Each value leaves once, by pop or by shift.
  taken = in_threads do |id|
    mine = []
    while (value = id.even? ? list.pop : list.shift)
      mine << value
    end
    mine
  end
  check(list.empty?, "values left: #{list.size}")
  check(taken.flatten.sort == (0...THREADS * count).to_a, "values taken twice or lost")

  # Producers and consumers at once.
  moved = in_threads do |id|
    got = []
    count.times do |i|
      if id < THREADS / 2
        list.push(id * count + i)
      elsif (value = list.shift)
        got << value
      end
    end
    got
  end
  check((moved.flatten + list).sort == (0...THREADS / 2 * count).to_a, "values lost between push and shift")

  # Own slots of one array, grown by whoever comes first.
  slots = []
  in_threads { |id| count.times { |i| slots[i * THREADS + id] = id } }
  check(slots.size == THREADS * count, "slots: #{slots.size}")
  slots.each_with_index { |value, i| check(value == i % THREADS, "slot #{i} holds #{value.inspect}") }

  # Reads that need the whole array while others sort and reverse it.
  total = (0...200).sum
  shared = (0...200).to_a.shuffle
  in_threads do |id|
    40.times do
      case id
      when 0, 1 then shared.sort!
      when 2 then shared.reverse!
      when 3 then shared.rotate!(7)
      when 4 then check(shared.dup.sum == total, "a copy was torn")
      when 5 then check(shared.sum == total, "a sum was torn")
      when 6 then check(shared.include?(199), "a value vanished")
      else check((shared + []).sort == (0...200).to_a, "a concatenation was torn")
      end
    end
  end
  check(shared.sort == (0...200).to_a, "sorting lost values")

  # Everything at once; only the kind of the elements is certain here.
  mixed = Array.new(50, 1)
  in_threads do |id|
    300.times do |i|
      case (i + id) % 10
      when 0 then mixed << 1
      when 1 then mixed.pop
      when 2 then mixed.unshift(1)
      when 3 then mixed.insert(mixed.size / 2, 1, 1)
      when 4 then mixed.delete_at(mixed.size / 2)
      when 5 then mixed.each { |value| check(value == 1 || value.nil?, "an invented value: #{value.inspect}") }
      when 6 then mixed.map { |value| value }.compact.sum
      when 7 then mixed.replace([1] * 20) if i % 50 == 7
      when 8 then mixed.compact!
      else mixed.slice!(0, 2)
      end
    end
  end
  check(mixed.compact.all?(1), "an invented value")
end

puts "ok"
