# A simulation on Structs: particles in a box with a grid of cells, springs, an energy account, and ranking.
Vec = Struct.new(:x, :y) do
  def +(other) = Vec.new(x + other.x, y + other.y)
  def -(other) = Vec.new(x - other.x, y - other.y)
  def *(factor) = Vec.new(x * factor, y * factor)
  def dot(other) = x * other.x + y * other.y
  def length = Math.sqrt(dot(self))
end

Particle = Struct.new(:id, :place, :speed, :mass, :hits) do
  def energy = 0.5 * mass * speed.dot(speed)

  def advance(dt, size)
    self.place = place + speed * dt
    if place.x < 0 || place.x > size
      speed.x = -speed.x
      place.x = place.x.clamp(0.0, size)
      self.hits += 1
    end
    return unless place.y < 0 || place.y > size
    speed.y = -speed.y
    place.y = place.y.clamp(0.0, size)
    self.hits += 1
  end
end

Spring = Struct.new(:a, :b, :rest, :stiffness, keyword_init: true) do
  def pull(dt)
    between = b.place - a.place
    distance = between.length
    return if distance.zero?
    force = between * (stiffness * (distance - rest) / distance * dt)
    a.speed = a.speed + force * (1.0 / a.mass)
    b.speed = b.speed - force * (1.0 / b.mass)
  end
end

class Box
  attr_reader :particles, :contacts

  def initialize(n, size)
    @size = size
    seed = 7
    draw = lambda do
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      (seed >> 8).fdiv(1 << 23)
    end
    @particles = Array.new(n) do |i|
      Particle.new(i, Vec.new(draw.() * size, draw.() * size), Vec.new(draw.() - 0.5, draw.() - 0.5), 1.0 + draw.(), 0)
    end
    @springs = @particles.each_cons(2).select.with_index { |_, i| i % 5 == 0 }.map do |a, b|
      Spring.new(a: a, b: b, rest: 4.0, stiffness: 0.02)
    end
    @contacts = 0
  end

  def step(dt)
    @springs.each { |spring| spring.pull(dt) }
    @particles.each { |particle| particle.advance(dt, @size) }
    cells = @particles.group_by { |p| [p.place.x.to_i / 2, p.place.y.to_i / 2] }
    cells.each_value do |list|
      list.each_with_index do |a, i|
        list.drop(i + 1).each do |b|
          gap = a.place - b.place
          next if gap.dot(gap) > 0.6
          a.speed, b.speed = b.speed, a.speed
          @contacts += 1
        end
      end
    end
  end

  def energy = @particles.sum(&:energy)
end

box = Box.new(220, 50.0)
puts format("%.9f", box.energy)
900.times do |i|
  box.step(0.25)
  puts format("%d %.9f %d", i, box.energy, box.contacts) if (i % 150).zero?
end
fast = box.particles.max_by(4) { |p| [p.energy, p.id] }
fast.each { |p| puts format("%d %.6f %.6f %d", p.id, p.place.x, p.place.y, p.hits) }
puts box.particles.sum(&:hits)
puts box.particles.map(&:to_a).flatten.size, Vec.new(1, 2) == Vec.new(1, 2), Vec.new(1, 2).eql?(Vec.new(1.0, 2.0))
copies = box.particles.map(&:dup).each { |p| p.hits += 1 }
puts copies.sum(&:hits) - box.particles.sum(&:hits), copies.first.to_h.keys.join(",")
table = Hash.new(0)
40_000.times { |i| table[Vec.new(i % 17, i % 13)] += 1 }
puts table.size, table[Vec.new(3, 3)]
case box.particles[3].place
in [Float => x, Float => y] then puts format("%.5f %.5f", x, y)
end
