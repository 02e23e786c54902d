# Ambient occlusion render: three spheres above a plane, vectors as objects.
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

Ray = Struct.new(:origin, :direction)

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

  def intersect(ray, hit)
    offset = ray.origin - @center
    b = offset.dot(ray.direction)
    c = offset.dot(offset) - @radius * @radius
    discriminant = b * b - c
    return unless discriminant > 0.0

    distance = -b - Math.sqrt(discriminant)
    return unless distance > 0.0 && distance < hit.distance

    hit.distance = distance
    hit.point = ray.origin + ray.direction * distance
    hit.normal = (hit.point - @center).normalize
  end
end

class Plane
  def initialize(point, normal)
    @point = point
    @normal = normal
  end

  def intersect(ray, hit)
    slope = ray.direction.dot(@normal)
    return if slope.abs < 1.0e-17

    distance = (@point - ray.origin).dot(@normal) / slope
    return unless distance > 0.0 && distance < hit.distance

    hit.distance = distance
    hit.point = ray.origin + ray.direction * distance
    hit.normal = @normal
  end
end

# Random numbers of our own, so that every implementation draws the same.
class Noise
  def initialize(seed)
    @state = seed
  end

  def next
    @state = (@state * 1_103_515_245 + 12_345) & 0x7fffffff
    @state / 2_147_483_648.0
  end
end

class Scene
  SAMPLES = 4
  EPSILON = 0.0001

  def initialize
    @objects = [
      Sphere.new(Vec.new(-2.0, 0.0, -3.5), 0.5),
      Sphere.new(Vec.new(-0.5, 0.0, -3.0), 0.5),
      Sphere.new(Vec.new(1.0, 0.0, -2.2), 0.5),
      Plane.new(Vec.new(0.0, -0.5, 0.0), Vec.new(0.0, 1.0, 0.0))
    ]
  end

  def render_row(y, size)
    noise = Noise.new(y * 7919 + 1)
    Array.new(size) do |x|
      px = (x - size / 2.0) / (size / 2.0)
      py = (size / 2.0 - y) / (size / 2.0)
      hit = trace(Ray.new(Vec.new(0.0, 0.0, 0.0), Vec.new(px, py, -1.0).normalize))
      hit.hit? ? (occlusion(hit, noise) * 255).to_i.clamp(0, 255) : 0
    end
  end

  private

  def trace(ray)
    hit = Hit.new
    @objects.each { |object| object.intersect(ray, hit) }
    hit
  end

  # The share of rays above the surface that leave the scene.
  def occlusion(hit, noise)
    origin = hit.point + hit.normal * EPSILON
    u, v = tangents(hit.normal)
    open = 0
    (SAMPLES * SAMPLES).times do
      radius = Math.sqrt(noise.next)
      phi = 2.0 * Math::PI * noise.next
      x = Math.cos(phi) * radius
      y = Math.sin(phi) * radius
      z = Math.sqrt(1.0 - radius * radius)
      open += 1 unless trace(Ray.new(origin, u * x + v * y + hit.normal * z)).hit?
    end
    open.to_f / (SAMPLES * SAMPLES)
  end

  def tangents(normal)
    helper = normal.x.abs < 0.6 ? Vec.new(1.0, 0.0, 0.0) : Vec.new(0.0, 1.0, 0.0)
    u = helper.cross(normal).normalize
    [u, normal.cross(u)]
  end
end

size = (ARGV[0] || 184).to_i
scene = Scene.new
checksum = 0
size.times do |y|
  row = scene.render_row(y, size)
  checksum = row.inject(checksum) { |sum, value| (sum * 31 + value) % 1_000_000_007 }
  puts row.each_slice(4).map { |part| " .:-=+*%#@"[part.sum / part.size / 26] }.join if y % 8 == 0 && y > 40
end
puts "#{size}x#{size} checksum #{checksum}"
