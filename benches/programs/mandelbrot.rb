# Mandelbrot set as a bitmap; prints a checksum and a thumbnail of it.
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

size = (ARGV[0] || 640).to_i
limit = 100
checksum = 0
inside = 0
thumbnail = []

size.times do |y|
  ci = 2.0 * y / size - 1.0
  line = +""
  size.times do |x|
    cr = 3.0 * x / size - 2.0
    count = escape_time(cr, ci, limit)
    inside += 1 if count == limit
    checksum = (checksum * 31 + count) % 1_000_000_007
    line << (count == limit ? "*" : ".") if y % 20 == 0 && x % 8 == 0
  end
  thumbnail << line unless line.empty?
end

puts thumbnail
puts "inside: #{inside} of #{size * size}"
puts "checksum: #{checksum}"
