# AO bench: renders an ambient occlusion scene on one thread and then on all cores,
# writes the picture as a PNG and prints both times.
#
# Usage: aobench.rb [SIZE] [THREADS] [FILE]
#
# The rows of the picture are shared out among threads. Nothing outside the core classes is used:
# the PNG is made with stored deflate blocks and checksums computed here.

# A vector of three floats; every operation makes a new one.
class Vec
  attr_reader :x, :y, :z

  def initialize(x, y, z)
    @x = x
    @y = y
    @z = z
  end

  def +(other) = Vec.new(@x + other.x, @y + other.y, @z + other.z)
  def -(other) = Vec.new(@x - other.x, @y - other.y, @z - other.z)
  def *(factor) = Vec.new(@x * factor, @y * factor, @z * factor)
  def dot(other) = @x * other.x + @y * other.y + @z * other.z

  def cross(other)
    Vec.new(@y * other.z - @z * other.y, @z * other.x - @x * other.z, @x * other.y - @y * other.x)
  end

  def normalize
    length = Math.sqrt(dot(self))
    length > 1.0e-17 ? self * (1.0 / length) : self
  end
end

# Where a ray first meets the scene, and which way the surface faces there.
class Hit
  attr_accessor :distance, :point, :normal

  def initialize
    @distance = 1.0e+17
    @point = @normal = nil
  end

  def hit? = !@point.nil?
end

class Sphere
  def initialize(center, radius)
    @center = center
    @radius = radius
  end

  def intersect(origin, direction, hit)
    offset = origin - @center
    b = offset.dot(direction)
    discriminant = b * b - offset.dot(offset) + @radius * @radius
    return unless discriminant > 0.0

    distance = -b - Math.sqrt(discriminant)
    return unless distance > 0.0 && distance < hit.distance

    hit.distance = distance
    hit.point = origin + direction * distance
    hit.normal = (hit.point - @center).normalize
  end
end

class Plane
  def initialize(point, normal)
    @point = point
    @normal = normal
  end

  def intersect(origin, direction, hit)
    slope = direction.dot(@normal)
    return if slope.abs < 1.0e-17

    distance = (@point - origin).dot(@normal) / slope
    return unless distance > 0.0 && distance < hit.distance

    hit.distance = distance
    hit.point = origin + direction * distance
    hit.normal = @normal
  end
end

# Random numbers that depend on the row only, so that the picture does not depend on the threads.
class Noise
  def initialize(seed)
    @state = seed & 0x7fffffff
  end

  def next
    @state = (@state * 1_103_515_245 + 12_345) & 0x7fffffff
    @state / 2_147_483_648.0
  end
end

class Scene
  SAMPLES = 4
  SUBPIXELS = 2
  EPSILON = 0.0001
  EYE = Vec.new(0.0, 0.0, 0.0)

  def initialize
    @objects = [
      Sphere.new(Vec.new(-2.0, 0.0, -3.5), 0.5),
      Sphere.new(Vec.new(-0.5, 0.0, -3.0), 0.5),
      Sphere.new(Vec.new(1.0, 0.0, -2.2), 0.5),
      Plane.new(Vec.new(0.0, -0.5, 0.0), Vec.new(0.0, 1.0, 0.0))
    ]
  end

  # The grey values of one row, as a string of bytes.
  def render_row(y, width, height)
    noise = Noise.new(y * 7919 + 1)
    row = Array.new(width) do |x|
      light = 0.0
      SUBPIXELS.times do |v|
        SUBPIXELS.times do |u|
          light += light_at(x + u.to_f / SUBPIXELS, y + v.to_f / SUBPIXELS, width, height, noise)
        end
      end
      (light * 255.5 / (SUBPIXELS * SUBPIXELS)).to_i.clamp(0, 255)
    end
    row.pack("C*")
  end

  private

  def light_at(x, y, width, height, noise)
    px = (x - width / 2.0) / (width / 2.0)
    py = (height / 2.0 - y) / (width / 2.0)
    hit = trace(EYE, Vec.new(px, py, -1.0).normalize)
    hit.hit? ? occlusion(hit, noise) : 0.0
  end

  def trace(origin, direction)
    hit = Hit.new
    @objects.each { |object| object.intersect(origin, direction, hit) }
    hit
  end

  # The share of rays above the surface that leave the scene.
  def occlusion(hit, noise)
    origin = hit.point + hit.normal * EPSILON
    helper = hit.normal.x.abs < 0.6 ? Vec.new(1.0, 0.0, 0.0) : Vec.new(0.0, 1.0, 0.0)
    u = helper.cross(hit.normal).normalize
    v = hit.normal.cross(u)
    open = 0
    (SAMPLES * SAMPLES).times do
      share = noise.next
      radius = Math.sqrt(share)
      phi = 2.0 * Math::PI * noise.next
      direction = u * (Math.cos(phi) * radius) + v * (Math.sin(phi) * radius) + hit.normal * Math.sqrt(1.0 - share)
      open += 1 unless trace(origin, direction).hit?
    end
    open.to_f / (SAMPLES * SAMPLES)
  end
end

# Writes greyscale pictures.
module Png
  SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10].pack("C*").freeze
  LARGEST_BLOCK = 65_535

  CRC_TABLE = Array.new(256) do |n|
    8.times { n = n.odd? ? 0xedb88320 ^ (n >> 1) : n >> 1 }
    n
  end.freeze

  module_function

  def write(path, rows, width)
    header = [width, rows.size, 8, 0, 0, 0, 0].pack("NNCCCCC")
    scanlines = rows.map { |row| "\0".b + row }.join
    File.open(path, "wb") do |file|
      file.write(SIGNATURE)
      file.write(chunk("IHDR", header))
      file.write(chunk("IDAT", deflate_stored(scanlines)))
      file.write(chunk("IEND", "".b))
    end
  end

  def chunk(type, data)
    body = type.b + data
    [data.bytesize].pack("N") + body + [crc32(body)].pack("N")
  end

  # A zlib stream whose blocks hold the bytes as they are.
  def deflate_stored(bytes)
    stream = [0x78, 0x01].pack("CC")
    start = 0
    loop do
      block = bytes.byteslice(start, LARGEST_BLOCK)
      start += block.bytesize
      last = start >= bytes.bytesize
      stream << [last ? 1 : 0, block.bytesize, block.bytesize ^ 0xffff].pack("Cvv") << block
      break if last
    end
    stream << [adler32(bytes)].pack("N")
  end

  def crc32(bytes)
    crc = 0xffffffff
    bytes.each_byte { |byte| crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >> 8) }
    crc ^ 0xffffffff
  end

  def adler32(bytes)
    a = 1
    b = 0
    bytes.each_byte do |byte|
      a = (a + byte) % 65_521
      b = (b + a) % 65_521
    end
    (b << 16) | a
  end
end

def core_count
  count = File.read("/proc/cpuinfo").scan(/^processor\s*:/).size
  count.zero? ? 1 : count
rescue SystemCallError
  2
end

# Every thread takes each n-th row, which shares out the cheap and the costly parts of the picture.
def render(scene, size, threads)
  rows = Array.new(size)
  workers = Array.new(threads) do |first|
    Thread.new do
      first.step(size - 1, threads) { |y| rows[y] = scene.render_row(y, size, size) }
    end
  end
  workers.each(&:join)
  rows
end

def timed
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  result = yield
  [result, Process.clock_gettime(Process::CLOCK_MONOTONIC) - started]
end

size = (ARGV[0] || 200).to_i
threads = (ARGV[1] || core_count).to_i
path = ARGV[2] || "aobench.png"
abort "usage: aobench.rb [SIZE] [THREADS] [FILE]" if size < 1 || threads < 1

scene = Scene.new
single, single_time = timed { render(scene, size, 1) }
puts format("1 thread:   %7.3f s", single_time)
multi, multi_time = timed { render(scene, size, threads) }
puts format("%d %s %7.3f s", threads, threads == 1 ? "thread: " : "threads:", multi_time)
puts format("speedup:    %7.2f", single_time / multi_time)
abort "the two pictures differ" unless single == multi

Png.write(path, multi, size)
puts "wrote #{path} (#{size}x#{size}, checksum #{Png.adler32(multi.join).to_s(16)})"
