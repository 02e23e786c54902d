# What messages between Ractors cost, under any Ruby that has Ractor::Port. Prints for each kind the best and the median of many
# short rounds, in microseconds: short ones, so that some have the processors for themselves on a machine that does other work.
#
# Usage: messages.rb [ROUNDS]
#
# ping-pong: an Integer goes to another Ractor and one comes back. sent, moved: a String of 1 MB goes to another Ractor, which
# answers with its size; each is a new one, made before the clock starts. create: a Ractor is made and joined.
Warning[:experimental] = false
ROUNDS = (ARGV[0] || 100).to_i

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def rounds(name, count)
  times = Array.new(ROUNDS) { yield(count) / count * 1e6 }.sort
  puts format("%-10s %10.2f %10.2f", name, times.first, times[ROUNDS / 2])
  $stdout.flush
end

echo = Ractor.new(Ractor.main.default_port) do |back|
  loop do
    message = Ractor.receive
    back << (message.is_a?(String) ? message.bytesize : message)
  end
end

rounds("ping-pong", 500) do |count|
  begun = now
  count.times do |i|
    echo << i
    Ractor.receive
  end
  now - begun
end

{ "sent" => false, "moved" => true }.each do |name, move|
  rounds(name, 10) do |count|
    texts = Array.new(count) { |i| ("x" * 1_000_000).tap { |text| text.setbyte(i, 65) } }
    begun = now
    texts.each do |text|
      echo.send(text, move: move)
      Ractor.receive
    end
    now - begun
  end
end

rounds("create", 20) do |count|
  begun = now
  count.times { Ractor.new { 1 }.join }
  now - begun
end
