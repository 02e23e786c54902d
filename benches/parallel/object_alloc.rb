# Short-lived and longer-lived objects on each thread.
#
# Usage: object_alloc.rb [THREADS] [SIZE]. Every thread does the same work on data of its own.
class Point
  attr_reader :x, :y

  def initialize(x, y)
    @x = x
    @y = y
  end

  def +(other)
    Point.new(@x + other.x, @y + other.y)
  end
end

def work(size)
  kept = Array.new(1000)
  sum = Point.new(0, 0)
  size.times do |i|
    point = Point.new(i, -i)
    sum += point
    kept[i % 1000] = [point, i.to_f] if i % 8 == 0
  end
  "#{sum.x} #{sum.y} #{kept.count(nil)}"
end

threads = (ARGV[0] || 2).to_i
size = (ARGV[1] || 4_000_000).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
results = Array.new(threads) { Thread.new { work(size) } }.map(&:value)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
raise "threads disagree: #{results.inspect}" unless results.uniq.size == 1

puts "result: #{results.first}"
puts format("wall: %.6f", elapsed)
