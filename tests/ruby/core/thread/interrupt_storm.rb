# What many threads raise into one whose masks hold it back most of the time: each comes once, where it may.
require "timeout"
class Hit < StandardError; end
n = 2000
got = 0
other = 0
ready = Queue.new
target = Thread.new do
  Thread.handle_interrupt(Hit => :never) do
    ready << 1
    until got == n
      begin
        Thread.handle_interrupt(Hit => %i[immediate on_blocking][got % 2]) { sleep 0.0005 }
      rescue Hit
        got += 1
      rescue Exception
        other += 1
      end
    end
  end
end
ready.pop
4.times.map { Thread.new { (n / 4).times { target.raise(Hit) } } }.each(&:join)
target.join
p got, other, target.pending_interrupt? # => 2000
# => 0
# => false

# Timeouts one after the other: none comes outside of its own.
stray = 0
1000.times do |i|
  begin
    Timeout.timeout(0.00002 * (1 + i % 5)) { 100.times { i += 1 } }
  rescue Timeout::Error
    0
  end
  begin
    5.times { i += 1 }
  rescue Exception
    stray += 1
  end
end
p stray # => 0
