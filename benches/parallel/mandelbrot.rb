# A Mandelbrot set of its own for each thread: float arithmetic.
#
# Usage: mandelbrot.rb [THREADS] [SIZE]. Every thread does the same work on data of its own.
def escape_time(cr, ci, limit)
  zr = zi = 0.0
  count = 0
  while count < limit
    zr2 = zr * zr
    zi2 = zi * zi
    break if zr2 + zi2 > 4.0

    zi = 2.0 * zr * zi + ci
    zr = zr2 - zi2 + cr
    count += 1
  end
  count
end

def work(size)
  checksum = 0
  size.times do |y|
    ci = 2.0 * y / size - 1.0
    size.times { |x| checksum = (checksum * 31 + escape_time(3.0 * x / size - 2.0, ci, 100)) % 1_000_000_007 }
  end
  checksum
end

threads = (ARGV[0] || 2).to_i
size = (ARGV[1] || 600).to_i
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
results = Array.new(threads) { Thread.new { work(size) } }.map(&:value)
elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
raise "threads disagree: #{results.inspect}" unless results.uniq.size == 1

puts "result: #{results.first}"
puts format("wall: %.6f", elapsed)
