# How long a stop of the world waits for threads that are inside long native operations.
# usage: stop.rb SECONDS KIND…   (kinds: none regexp sort bignum file copy); run with --gc-stats
require "tempfile"

seconds = ARGV.shift.to_f
text = "ab" * 50_000 + "c"
numbers = Array.new(200_000) { |i| (i * 7919) % 200_003 }
words = numbers.map(&:to_s)
file = Tempfile.new("stop")
file.write("x" * 20_000_000)
file.close
$on = true

# Threads rest a part of their time, so that this can be run at real-time priority (chrt -r 10), which the kernel gives to
# no thread for more than 95 % of a second: on a busy machine the figures are the kernel's otherwise.
def resting
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  yield
  sleep((Process.clock_gettime(Process::CLOCK_MONOTONIC) - started) / 8)
end

WORK = {
  "none" => -> { sleep 0.01 },
  # Backtracks over every start.
  "regexp" => -> { text.match?(/(?:a|b)*d/) },
  "sort" => -> { numbers.sort },
  "sort_words" => -> { words.sort },
  "bignum" => -> { (3**60_000 * 7**50_000).to_s },
  "file" => -> { File.read(file.path).size },
  "copy" => -> { (numbers * 10 + numbers).reverse.size },
}

others = ARGV.map do |kind|
  work = WORK.fetch(kind)
  Thread.new do
    n = 0
    while $on
      resting { work.call }
      n += 1
    end
    [kind, n]
  end
end

started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
while Process.clock_gettime(Process::CLOCK_MONOTONIC) - started < seconds
  resting do
    # What real programs do between two collections; a stop that comes at once would meet every thread where the last
    # one left it.
    20.times { Array.new(1000) { |j| [j] } }
    GC.start
  end
end
$on = false
others.each { |t| puts t.value.join(" ") }
