# Eight threads change the same strings while others match and copy them.
#
# Usage: string_ops.rb [SECONDS]
require_relative "_checks"
require_relative "_collector"

THREADS = 8
seconds = (ARGV[0] || 2).to_f
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
running = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline }

def in_threads
  Array.new(THREADS) { |id| Thread.new { yield id } }.map(&:value)
end

while running.call
  # Appends of own letters: none lost, none torn.
  count = 2000
  text = +""
  in_threads { |id| count.times { text << ("a".ord + id).chr * 3 } }
  check(text.size == THREADS * count * 3, "lost appends: #{text.size}")
  THREADS.times do |id|
    letter = ("a".ord + id).chr
    check(text.count(letter) == count * 3, "lost #{letter}")
  end
  check(text.scan(/(.)\1\1/).size == THREADS * count, "a piece was torn")

  # Wide characters stay whole while the string grows and is read.
  text = +"é"
  in_threads do |id|
    500.times do
      if id < 4
        text << "é→𝄞"
      else
        copy = text.dup
        check(copy.valid_encoding?, "a character was torn")
        check(copy.match?(/\Aé/), "the start vanished")
      end
    end
  end
  check(text.size == 1 + 4 * 500 * 3, "characters: #{text.size}")

  # Own bytes of one string.
  text = "." * (THREADS * 64)
  in_threads { |id| 64.times { |i| text.setbyte(i * THREADS + id, 65 + id) } }
  check(text == ("A".."H").to_a.join * 64, "bytes were lost: #{text[0, 40]}")

  # Writers that keep the length, beside readers of the whole.
  text = "x" * 1000
  in_threads do |id|
    100.times do |i|
      case id
      when 0 then text.setbyte(i * 7 % 1000, 120)
      when 1 then text[i, 1] = "x"
      when 2 then text.gsub!(/x/, "x")
      when 3 then text.sub!("xx", "xx")
      when 4 then check(text =~ /\Ax{1000}\z/, "a match saw something else")
      when 5 then check(text.dup == "x" * 1000, "a copy was torn")
      when 6 then check(text.scan(/x{10}/).size == 100, "a scan saw something else")
      else check(text.hash == ("x" * 1000).hash && text.bytes.sum == 120_000, "a read was torn")
      end
    end
  end
  check(text == "x" * 1000, "the string changed: #{text.size}")

  # Lengths that change under matches, copies and slices: only letters that were written appear.
  text = +"start"
  in_threads do |id|
    300.times do |i|
      begin
        case (id + i) % 9
        when 0 then text << "abc" * (i % 5)
        when 1 then text.replace("start")
        when 2 then text[0, 2] = "st"
        when 3 then text.insert(2, "b")
        when 4 then text.gsub!(/[abc]+/) { |found| found.size > 40 ? "a" : found }
        when 5 then text.slice!(5, 3)
        when 6 then text.prepend("c")
        when 7 then text.tr!("c", "b")
        else text.upcase.downcase.reverse.succ
        end
      rescue IndexError
        # The string became shorter between two threads' steps: a legal outcome.
      rescue RuntimeError => e
        # gsub! with a block refuses to go on when its string was changed meanwhile.
        check(e.message.include?("string modified"), e.message)
      end
      copy = text.dup
      check(copy.match?(/\A[starbc]*\z/), "an invented character: #{copy.inspect}")
    end
  end
end

puts "ok"
