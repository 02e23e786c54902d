# Eight threads change the same hashes: no entry is lost or doubled.
#
# Usage: hash_ops.rb [SECONDS]
require_relative "_checks"
require_relative "_collector"

THREADS = 8
seconds = (ARGV[0] || 2).to_f
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

def in_threads
  Array.new(THREADS) { |id| Thread.new { yield id } }.map(&:value)
end

# A key whose hash and eql? are written in Ruby, so that they run in the middle of a hash's work.
class Key
  attr_reader :number

  def initialize(number)
    @number = number
  end

  def hash = @number % 17
  def eql?(other) = other.is_a?(Key) && other.number == @number
end

def key_for(kind, number)
  case kind
  when 0 then number
  when 1 then "key #{number}"
  when 2 then [number, number.to_s]
  else number.to_f
  end
end

while running.call
  # Insertions of own keys into one hash.
  count = 1000
  table = {}
  in_threads { |id| count.times { |i| table[key_for(id % 4, id * count + i)] = id * count + i } }
  check(table.size == THREADS * count, "lost insertions: #{table.size}")
  check(table.values.sort == (0...THREADS * count).to_a, "inserted values differ")
  table.each { |key, value| check(table[key] == value, "#{key.inspect} is not found") }

  # Each entry is deleted by one thread only.
  deleted = in_threads do |id|
    (0...THREADS * count).count { |i| table.delete(key_for((i / count) % 4, i)) }
  end
  check(deleted.sum == THREADS * count, "deleted #{deleted.sum}")
  check(table.empty?, "entries left: #{table.size}")

  # Readers beside writers: what was there from the start stays readable.
  table = (0...500).to_h { |i| [i, i * 2] }
  in_threads do |id|
    case id
    when 0, 1, 2
      400.times { |i| table[1000 * (id + 1) + i] = i }
    when 3
      200.times { table.rehash }
    when 4
      100.times { check(table.dup.count { |key, _| key < 500 } == 500, "a copy was torn") }
    when 5
      50.times do
        table.keys.each { |key| check(key.is_a?(Integer), "an invented key: #{key.inspect}") }
        table.to_a.each { |key, value| check(key >= 1000 || value == key * 2, "an invented pair") }
      end
    else
      10.times { 500.times { |i| check(table[i] == i * 2, "entry #{i} vanished: #{table[i].inspect}") } }
    end
  end
  check(table.size == 500 + 3 * 400, "entries: #{table.size}")

  # A walk keeps nobody but its own thread from adding keys, and what is there all the time comes once.
  table = (0...200).to_h { |i| [i, i] }
  in_threads do |id|
    60.times do |i|
      if id.even?
        seen = Hash.new(0)
        table.each do |key, value|
          check(key == value, "an invented pair: #{key.inspect} #{value.inspect}")
          seen[key] += 1
        end
        check((0...200).all? { |key| seen[key] == 1 }, "entries that were there all the time came #{seen.inspect}")
      else
        table[(id + 1) * 1000 + i] = (id + 1) * 1000 + i
      end
    end
  end
  check(table.size == 200 + 4 * 60, "entries: #{table.size}")

  # Keys with methods in Ruby; all threads write the same keys.
  table = {}
  in_threads { |id| 100.times { |i| table[Key.new((i + id * 13) % 100)] = id } }
  check(table.size == 100, "equal keys were doubled: #{table.size}")
  check(table.keys.map(&:number).sort == (0...100).to_a, "keys differ")

  # Insertion order, compaction and shift.
  queue = {}
  taken = in_threads do |id|
    got = []
    500.times do |i|
      if id < 4
        queue[id * 500 + i] = true
      elsif (pair = queue.shift)
        got << pair[0]
      end
    end
    got
  end
  check((taken.flatten + queue.keys).sort == (0...2000).to_a, "shift lost or doubled entries")
end

puts "ok"
