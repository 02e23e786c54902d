# Planets pulled by each other's gravity: float arithmetic on attributes.
SOLAR_MASS = 4 * Math::PI**2
DAYS = 365.24

class Body
  attr_accessor :x, :y, :z, :vx, :vy, :vz
  attr_reader :mass

  def initialize(x, y, z, vx, vy, vz, mass)
    @x, @y, @z = x, y, z
    @vx, @vy, @vz = vx * DAYS, vy * DAYS, vz * DAYS
    @mass = mass * SOLAR_MASS
  end

  def attract(other, dt)
    dx = @x - other.x
    dy = @y - other.y
    dz = @z - other.z
    distance2 = dx * dx + dy * dy + dz * dz
    magnitude = dt / (distance2 * Math.sqrt(distance2))
    pull = other.mass * magnitude
    @vx -= dx * pull
    @vy -= dy * pull
    @vz -= dz * pull
    push = @mass * magnitude
    other.vx += dx * push
    other.vy += dy * push
    other.vz += dz * push
  end

  def move(dt)
    @x += dt * @vx
    @y += dt * @vy
    @z += dt * @vz
  end

  def kinetic_energy
    0.5 * @mass * (@vx * @vx + @vy * @vy + @vz * @vz)
  end

  def distance(other)
    Math.sqrt((@x - other.x)**2 + (@y - other.y)**2 + (@z - other.z)**2)
  end
end

BODIES = [
  Body.new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
  Body.new(4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
           1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04),
  Body.new(8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
           -2.76742510726411904e-03, 4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04),
  Body.new(1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
           2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05),
  Body.new(1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
           2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05)
]

def rest_the_sun(bodies)
  px = bodies.sum { |b| b.vx * b.mass }
  py = bodies.sum { |b| b.vy * b.mass }
  pz = bodies.sum { |b| b.vz * b.mass }
  sun = bodies.first
  sun.vx = -px / SOLAR_MASS
  sun.vy = -py / SOLAR_MASS
  sun.vz = -pz / SOLAR_MASS
end

def energy(bodies)
  kinetic = 0.0
  bodies.each { |b| kinetic += b.kinetic_energy }
  potential = 0.0
  bodies.each_with_index do |a, i|
    bodies.drop(i + 1).each { |b| potential += a.mass * b.mass / a.distance(b) }
  end
  kinetic - potential
end

def advance(bodies, dt)
  count = bodies.size
  i = 0
  while i < count
    body = bodies[i]
    j = i + 1
    while j < count
      body.attract(bodies[j], dt)
      j += 1
    end
    i += 1
  end
  bodies.each { |b| b.move(dt) }
end

steps = (ARGV[0] || 350_000).to_i
rest_the_sun(BODIES)
puts format("%.9f", energy(BODIES))
steps.times { advance(BODIES, 0.01) }
puts format("%.9f", energy(BODIES))
